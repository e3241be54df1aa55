package registry

import (
	"archive/tar"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"

	"github.com/runkora/kora/internal/regular"
)

// files reads the files of a layout by their slash-separated names, and never
// leaves it.
type files interface {
	// read returns a regular file of at most limit bytes; fs.ErrNotExist where
	// there is none.
	read(name string, limit int64) ([]byte, error)
}

func openFiles(name string) (files, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, &Error{Kind: Missing, What: visible(name), Why: "there is no such OCI layout", Fix: "give the directory that holds the file oci-layout, or a tarball of it"}
	}
	if info.IsDir() {
		root, err := os.OpenRoot(name)
		if err != nil {
			return nil, &Error{Kind: Unreachable, What: visible(name), Why: "the directory cannot be opened"}
		}
		return directory{root}, nil
	}
	if !info.Mode().IsRegular() {
		return nil, &Error{Kind: Wrong, What: visible(name), Why: "it is neither a directory nor a file"}
	}
	return openTar(name)
}

// directory follows no link out of itself.
type directory struct{ root *os.Root }

func (d directory) read(name string, limit int64) ([]byte, error) {
	info, err := d.root.Stat(name)
	if err != nil {
		return nil, d.left(name, err)
	}
	if !info.Mode().IsRegular() { // a fifo would be waited for
		return nil, wrong("it is no regular file")
	}
	f, err := d.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, wrong("it is no regular file")
	}
	return readAll(f, limit)
}

// left says of a file that could not be reached whether a link on the way is
// why: one that leads out of the layout is not followed, and one that leads
// nowhere is not a file that is missing.
func (d directory) left(name string, err error) error {
	for at := name; at != "."; at = path.Dir(at) {
		if info, lerr := d.root.Lstat(at); lerr == nil && info.Mode()&fs.ModeSymlink != 0 {
			return wrong("its " + at + " is a link that leads out of the layout, or nowhere, and is not followed")
		}
	}
	return err
}

// tarball is an archive that is read where it lies: only its list of names is
// in memory. It is not unpacked, and not decompressed.
type tarball struct {
	path string
	at   map[string]span
}

type span struct{ offset, size int64 }

// maxEntries bounds the names of an archive.
const maxEntries = 100_000

func openTar(name string) (files, error) {
	bad := func(why, fix string) error {
		return &Error{Kind: Wrong, What: visible(name), Why: why, Fix: fix}
	}
	f, err := regular.Open(name)
	if err != nil {
		return nil, &Error{Kind: Unreachable, What: visible(name), Why: "the file cannot be opened"}
	}
	defer f.Close()
	t := tarball{name, map[string]span{}}
	kinds := map[string]byte{}
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return t, crossed(kinds, bad)
		case err != nil:
			return nil, bad("it is no tarball, or a damaged one", "give a tarball that is not compressed: gunzip one that is")
		case len(kinds) == maxEntries:
			return nil, &Error{Kind: Limited, What: visible(name), Why: "it has more than 100,000 files"}
		case h.Typeflag == tar.TypeXGlobalHeader:
			continue
		}
		entry := strings.TrimPrefix(path.Clean("/"+h.Name), "/")
		if before, twice := kinds[entry]; twice && (before != tar.TypeDir || h.Typeflag != tar.TypeDir) {
			return nil, bad("it holds a file twice, so that two readers see two things: "+visible(entry), "")
		}
		kinds[entry] = h.Typeflag
		if h.Typeflag != tar.TypeReg {
			continue
		}
		offset, err := f.Seek(0, io.SeekCurrent)
		if err != nil {
			return nil, bad("it cannot be read", "")
		}
		t.at[entry] = span{offset, h.Size}
	}
}

// crossed refuses an archive in which something lies below what is no folder,
// such as a link: who unpacks it gets other files than who reads it.
func crossed(kinds map[string]byte, bad func(why, fix string) error) error {
	for entry := range kinds {
		for at := path.Dir(entry); at != "."; at = path.Dir(at) {
			if kind, ok := kinds[at]; ok && kind != tar.TypeDir {
				return bad("it holds something below "+visible(at)+", which is no folder", "")
			}
		}
	}
	return nil
}

func (t tarball) read(name string, limit int64) ([]byte, error) {
	s, ok := t.at[name]
	switch {
	case !ok:
		return nil, fs.ErrNotExist
	case s.size > limit:
		return nil, tooLarge(limit)
	}
	f, err := regular.Open(t.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(io.NewSectionReader(f, s.offset, s.size), limit)
}

package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/regular"
)

// maxBytes is the most that is read of a file that stands where one shall be
// written: nothing generated is as long.
const maxBytes = 4 << 20

// folder is an output folder that is open. Nothing outside of it can be reached
// through it, whatever links it holds.
type folder struct {
	name string
	root *os.Root // nil: it does not exist yet
}

// open takes no folder that is a link itself: what it leads to has another name.
func open(name string) (*folder, faults.List) {
	name = filepath.Clean(name)
	if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, faults.List{(&folder{name, nil}).outside(".", info)}
	}
	root, err := regular.OpenRoot(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &folder{name, nil}, nil
	}
	if err != nil {
		return nil, faults.List{unreadable(name, err)}
	}
	return &folder{name, root}, nil
}

func (d *folder) close() {
	if d.root != nil {
		d.root.Close()
	}
}

func (d *folder) make() error {
	if d.root != nil {
		return nil
	}
	if err := os.MkdirAll(d.name, 0o755); err != nil {
		return err
	}
	root, err := regular.OpenRoot(d.name)
	d.root = root
	return err
}

// read gives a file's content, and whether there is one. A link, a folder, or
// anything else that is no plain file is a fault, as is a link on the way to it.
func (d *folder) read(name string) (string, bool, faults.List) {
	if d.root == nil {
		return "", false, nil
	}
	for at := path.Dir(name); at != "."; at = path.Dir(at) {
		info, err := d.root.Lstat(filepath.FromSlash(at))
		if err == nil && !info.IsDir() {
			return "", false, faults.List{d.outside(at, info)}
		}
	}
	info, err := d.root.Lstat(filepath.FromSlash(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false, nil
	case err != nil:
		return "", false, faults.List{unreadable(d.path(name), err)}
	case !info.Mode().IsRegular():
		return "", false, faults.List{d.outside(name, info)}
	}
	text, err := d.text(name)
	if err != nil {
		return "", false, faults.List{unreadable(d.path(name), err)}
	}
	return text, true, nil
}

func (d *folder) text(name string) (string, error) {
	f, err := d.root.Open(filepath.FromSlash(name))
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxBytes))
	return string(text), err
}

// names lists the plain files of the folders that a set writes to.
func (d *folder) names(files []File) []string {
	var out []string
	seen := map[string]bool{}
	for _, f := range files {
		at := path.Dir(f.Path)
		if d.root == nil || seen[at] {
			continue
		}
		seen[at] = true
		if info, err := d.root.Lstat(filepath.FromSlash(at)); err != nil || !info.IsDir() {
			continue // read tells what it is; to open a pipe would wait
		}
		entries, err := fs.ReadDir(d.root.FS(), at)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
				out = append(out, path.Join(at, e.Name()))
			}
		}
	}
	slices.Sort(out)
	return out
}

func (d *folder) path(name string) string { return filepath.Join(d.name, filepath.FromSlash(name)) }

func (d *folder) outside(name string, info fs.FileInfo) faults.Fault {
	f := faults.New(faults.OutsideFolder, "the output would go through what is no plain file or folder")
	f.File, f.Found, f.Expected = d.path(name), kindOf(info), "a plain file, or nothing"
	f.Fix = fmt.Sprintf("remove %s, and generate again", d.path(name))
	return f
}

func kindOf(info fs.FileInfo) string {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return "a link"
	case info.IsDir():
		return "a folder"
	case info.Mode().IsRegular():
		return "a file where a folder is needed"
	}
	switch mode := info.Mode(); {
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

func unreadable(name string, err error) faults.Fault {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err
	}
	f := faults.New(faults.FileMissing, fmt.Sprintf("cannot read or write the output: %v", err))
	f.File, f.Fix = name, "check the path and that it may be written"
	return f
}

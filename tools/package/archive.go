package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// entry is a file of an archive: its name there, where it is read, its mode.
// A name that ends in a slash is a folder.
type entry struct {
	name, path string
	mode       int64
}

// archive writes a gzipped tar that holds nothing of the machine it was made
// on: no owner, no time.
func (r *release) archive(name string, files []entry) (err error) {
	file, err := os.Create(filepath.Join(r.out, name))
	if err != nil {
		return err
	}
	defer func() { err = firstOf(err, file.Close()) }()
	zip, err := gzip.NewWriterLevel(file, gzip.BestCompression)
	if err != nil {
		return err
	}
	out := tar.NewWriter(zip)
	for _, f := range files {
		if err := add(out, f); err != nil {
			return err
		}
	}
	r.written = append(r.written, name)
	return firstOf(out.Close(), zip.Close())
}

func add(out *tar.Writer, e entry) error {
	if strings.HasSuffix(e.name, "/") {
		return out.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: e.name, Mode: e.mode, Format: tar.FormatUSTAR})
	}
	from, err := os.Open(e.path)
	if err != nil {
		return err
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return err
	}
	if err := out.WriteHeader(&tar.Header{Name: e.name, Mode: e.mode, Size: info.Size(), Format: tar.FormatUSTAR}); err != nil {
		return err
	}
	_, err = io.Copy(out, from)
	return err
}

// checksums writes SHA256SUMS, which sha256sum -c reads.
func (r *release) checksums() error {
	slices.Sort(r.written)
	var text strings.Builder
	for _, name := range r.written {
		sum, err := digest(filepath.Join(r.out, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%s  %s\n", sum, name)
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(text.String()), 0o644)
}

func digest(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", hash.Sum(nil)), nil
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

package preflight

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/operator/preflight/facts"
)

// bundleFile is the one file of a bundle.
const bundleFile = "facts.json"

// Poorer is a look that could not read what the dump holds that is there: that stays.
type Poorer struct {
	Path string
	Lost []string
}

// Error is of error.
func (p *Poorer) Error() string {
	return fmt.Sprintf("%s stays as it was: it holds %d things that could not be read now", p.Path, len(p.Lost))
}

// WriteBundle writes facts into a folder, which is made, and returns the file.
// Nobody else may read it: a cluster's make-up is not for everybody. An earlier one
// goes when the new one is whole; one that holds what could not be read now goes where
// anyway says so, and is a *Poorer otherwise. A file of that name that is none is an
// error, and stays.
func WriteBundle(dir string, f *facts.Facts, anyway bool) (path string, err error) {
	_, missing := os.Stat(dir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if errors.Is(missing, fs.ErrNotExist) {
		defer func() {
			if err != nil {
				_ = os.Remove(dir) // unless somebody else has written there
			}
		}()
	}
	path = filepath.Join(dir, bundleFile)
	earlier, err := ReadBundle(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s is there, and no whole dump of this kora that another would replace: give --to another folder: %w", path, err)
	}
	if err == nil && !anyway {
		if lost := f.Lost(earlier); len(lost) > 0 {
			return "", &Poorer{path, lost}
		}
	}
	return path, replace(path, f)
}

// replace puts a file in its place when it is whole.
func replace(path string, f *facts.Facts) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), bundleFile+".*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name())
	if err := facts.Write(temporary, f); err != nil {
		temporary.Close()
		return err
	}
	if err := temporary.Close(); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}

// ReadBundle reads the facts of a folder, or of the file itself.
func ReadBundle(path string) (*facts.Facts, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		path = filepath.Join(path, bundleFile)
		if info, err = os.Stat(path); err != nil {
			return nil, unfound(path, err)
		}
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no plain file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return facts.Read(file)
}

// unfound says why a folder's file cannot be looked at: it is not there only where not
// even a link of that name is.
func unfound(path string, err error) error {
	_, link := os.Lstat(path)
	switch {
	case errors.Is(link, fs.ErrNotExist):
		return fmt.Errorf("the folder holds no %s: kora preflight collect writes one", bundleFile)
	case link == nil && errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s is a link to what is not there: kora preflight collect writes the file itself", bundleFile)
	}
	return fmt.Errorf("%s cannot be opened: %w", bundleFile, plain(err))
}

// plain is the system's word without the path, which stands before it already.
func plain(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}

// BundleFaults say why a bundle cannot be judged: each thing that is no part of one at its
// line, where it can be read that far.
func BundleFaults(path string, err error) (found faults.List) {
	var bad facts.Malformed
	if !errors.As(err, &bad) {
		f := faults.New(faults.BadBundle, err.Error())
		f.File = path
		return faults.List{f}
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, bundleFile)
	}
	for _, each := range bad {
		f := faults.New(faults.BadBundle, each.Message)
		f.File, f.Line, f.Column, f.Field, f.Found, f.Expected = path, each.Line, each.Column, each.Field, each.Found, each.Expected
		found = append(found, f)
	}
	return found
}

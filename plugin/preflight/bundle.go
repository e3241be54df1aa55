package preflight

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/runkora/kora/operator/preflight/facts"
)

// bundleFile is the one file of a bundle.
const bundleFile = "facts.json"

// WriteBundle writes facts into a folder, which is made, and returns the file.
// Nobody else may read it: a cluster's make-up is not for everybody. An earlier one
// goes; a file of that name that is none is an error, and stays.
func WriteBundle(dir string, f *facts.Facts) (path string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	path = filepath.Join(dir, bundleFile)
	if _, err := ReadBundle(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s is there, and no whole dump of this kora that another would replace: give --to another folder: %w", path, err)
	}
	temporary, err := os.CreateTemp(dir, bundleFile+".*")
	if err != nil {
		return "", err
	}
	defer os.Remove(temporary.Name())
	if err := facts.Write(temporary, f); err != nil {
		temporary.Close()
		return "", err
	}
	if err := temporary.Close(); err != nil {
		return "", err
	}
	return path, os.Rename(temporary.Name(), path)
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
			return nil, fmt.Errorf("the folder holds no %s: kora preflight collect writes one", bundleFile)
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

package kube

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"k8s.io/client-go/tools/clientcmd"
)

// fileLimit is the most that a kubeconfig, or a file that it names, may hold.
const fileLimit = 1 << 20

// NoFile is a file that a person named as a kubeconfig and that is not one to
// read.
type NoFile struct{ Path, Why string }

// Error is of error.
func (n *NoFile) Error() string { return n.Path + " " + n.Why }

// plain refuses what could not be read to an end: a pipe would be waited for and
// a device has no end. A file that is not there is fs.ErrNotExist beside it.
func plain(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.Join(&NoFile{path, "is not there"}, fs.ErrNotExist)
	case err != nil:
		return &NoFile{path, "cannot be read: " + reason(err)}
	case !info.Mode().IsRegular():
		return &NoFile{path, "is no plain file"}
	case info.Size() > fileLimit:
		return &NoFile{path, fmt.Sprintf("holds more than %d MiB", fileLimit>>20)}
	}
	return nil
}

// reason is the innermost error: the outer ones repeat the path.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}

// plainRules looks at the kubeconfig files before they are read. One that
// nobody named may be missing.
func plainRules(rules *clientcmd.ClientConfigLoadingRules) error {
	for _, path := range rules.GetLoadingPrecedence() {
		err := plain(path)
		if errors.Is(err, fs.ErrNotExist) && rules.ExplicitPath == "" {
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

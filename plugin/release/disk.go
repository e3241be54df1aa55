package release

import (
	"io/fs"
	"os"
	"strings"
)

// disk is where a chart is looked for: a folder that nothing leads out of, or the
// whole machine where there is none.
type disk struct{ root *os.Root }

func (d disk) stat(name string) (fs.FileInfo, error) {
	if d.root != nil {
		return d.root.Stat(name)
	}
	return os.Stat(name)
}

func (d disk) open(name string) (*os.File, error) {
	if d.root != nil {
		return d.root.Open(name)
	}
	return os.Open(name)
}

func (d disk) openRoot(name string) (*os.Root, error) {
	if d.root != nil {
		return d.root.OpenRoot(name)
	}
	return os.OpenRoot(name)
}

// folder is true of a chart that is a folder here, and no archive, reference, or
// chart of this binary.
func (d disk) folder(name string) bool {
	if name == "" || strings.HasPrefix(name, ociScheme) {
		return false
	}
	info, err := d.stat(name)
	return err == nil && info.IsDir()
}

package output

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// temporary is behind the name of a file that is being written, and before what no
// other run has.
const temporary = ".kora-new"

// abandoned is how old a temporary file is that no run still writes: one is written
// and renamed within moments.
const abandoned = time.Hour

// write puts a file in place in one step: a run that is broken off leaves the
// old one or the new one, and never a part. Two runs at once do not meet: each
// writes a file of its own, and one of the two is what stays.
func (d *folder) write(name, text string) error {
	if err := d.make(); err != nil {
		return err
	}
	target := filepath.FromSlash(name)
	if err := d.root.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	d.sweep(target)
	own := hidden(target) + "-" + rand.Text()
	f, err := d.root.OpenFile(own, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = d.root.Rename(own, target)
	}
	if err != nil {
		return errors.Join(err, d.root.Remove(own))
	}
	return nil
}

// hidden is how the temporary files of a target begin.
func hidden(target string) string {
	return filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+temporary)
}

// sweep removes what runs left behind that were broken off: whatever is old enough,
// and the one name that all runs of before shared. What cannot be removed is in
// nobody's way.
func (d *folder) sweep(target string) {
	before := hidden(target)
	entries, err := fs.ReadDir(d.root.FS(), filepath.ToSlash(filepath.Dir(target)))
	if err != nil {
		return
	}
	for _, e := range entries {
		name := filepath.Join(filepath.Dir(target), e.Name())
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !strings.HasPrefix(name, before) {
			continue
		}
		if name == before || strings.HasPrefix(name, before+"-") && time.Since(info.ModTime()) > abandoned {
			_ = d.root.Remove(name)
		}
	}
}

// remove takes a file away; that another run was quicker is no failure.
func (d *folder) remove(name string) error {
	if err := d.root.Remove(filepath.FromSlash(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

package lock

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/runkora/kora/internal/regular"
)

// Begins reports whether a text begins as a lock does, whatever became of its rest:
// behind comments the version stands first.
func Begins(text []byte) bool {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return bytes.HasPrefix(line, []byte("version:"))
		}
	}
	return false
}

const header = `# Written by kora verify: the digests that were verified, who had signed them and
# when. Change nothing by hand; kora verify --lock FILE tells what has moved.
`

// YAML is the text of the lock. Two locks of the same artifacts have the same
// text.
func (l *Lock) YAML() ([]byte, error) {
	out := bytes.NewBufferString(header)
	e := yaml.NewEncoder(out)
	e.SetIndent(2)
	if err := e.Encode(New(l.Artifacts...)); err != nil {
		return nil, fmt.Errorf("write the lock: %w", err)
	}
	return out.Bytes(), e.Close()
}

// Write puts the lock in the place of the file: a reader sees the old one or
// the new one, whole. A file that already has this text is not touched.
func (l *Lock) Write(path string) error {
	text, err := l.YAML()
	if err != nil {
		return err
	}
	if old, err := regular.Read(path, maxBytes); err == nil && bytes.Equal(old, text) {
		return nil
	}
	return Replace(path, text)
}

// Replace writes beside the file and renames. A link is followed, so that the
// file it names changes and the link stays. What is there and no regular file
// stays there, and is an error.
func Replace(path string, text []byte) (err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return errors.New("it is there already, and is no regular file")
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(text); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

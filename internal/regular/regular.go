// Package regular reads files that a person named, and nothing else that can
// bear a name: a pipe, a device or a socket is refused at once and never
// waited for.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Open opens a regular file for reading. It looks before it opens, because
// opening a device may do something, and again afterwards, because the path may
// have changed; a pipe that nobody writes to does not hold an open that asks
// not to be held. Errors are without the path, which is told beside them; one
// of a file that is not there is fs.ErrNotExist.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, cause(err)
	}
	if !info.Mode().IsRegular() {
		return nil, irregular(info.Mode())
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, cause(err)
	}
	if info, err = file.Stat(); err != nil || !info.Mode().IsRegular() {
		file.Close()
		if err != nil {
			return nil, cause(err)
		}
		return nil, irregular(info.Mode())
	}
	return file, nil
}

// LongError is the error of a file that has more bytes than are read.
type LongError int64

func (e LongError) Error() string { return fmt.Sprintf("it has more than %d bytes", int64(e)) }

// Read reads a regular file of at most limit bytes, LongError for a longer one.
func Read(path string, limit int64) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	return read(file, limit)
}

// ReadIn reads a file of a folder as Read does. That opening it waits for nobody is the
// folder's affair: see Folder.
func ReadIn(folder fs.FS, name string, limit int64) ([]byte, error) {
	file, err := folder.Open(name)
	if err != nil {
		return nil, cause(err)
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		file.Close()
		if err != nil {
			return nil, cause(err)
		}
		return nil, irregular(info.Mode())
	}
	return read(file, limit)
}

// read reads what was opened, and of a longer one than limit no more than tells so.
func read(file io.ReadCloser, limit int64) ([]byte, error) {
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = LongError(limit)
	}
	return data, cause(err)
}

// OpenRoot opens a folder, as os.OpenRoot does, and nothing else: to open a pipe as
// one would wait for whoever writes to it.
func OpenRoot(path string) (*os.Root, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, cause(err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("it is %s and not a directory", kind(info.Mode()))
	}
	root, err := os.OpenRoot(path)
	return root, cause(err)
}

// KindError is the error of what bears a name and is no regular file.
type KindError fs.FileMode

func (e KindError) Error() string {
	return fmt.Sprintf("it is %s and not a regular file", kind(fs.FileMode(e)))
}

func irregular(mode fs.FileMode) error { return KindError(mode) }

// Folder is a folder of which Open opens regular files alone, as Open does. Links that
// lead out of it are followed: a mounted ConfigMap is made of links.
type Folder string

// Open opens a file by its path in the folder.
func (f Folder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, fs.ErrInvalid
	}
	return Open(filepath.Join(string(f), filepath.FromSlash(name)))
}

func kind(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "a file"
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

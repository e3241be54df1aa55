package regular_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/runkora/kora/internal/regular"
)

// R49: nothing but a file is read, and nothing is waited for: a test that hung
// would be ended by its own time limit.
func TestOnlyFilesAreRead(t *testing.T) {
	dir := t.TempDir()
	file, pipe, socket, link := filepath.Join(dir, "file"), filepath.Join(dir, "pipe"), filepath.Join(dir, "socket"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(file, []byte("text"), 0o600), syscall.Mkfifo(pipe, 0o600), os.Symlink(pipe, link)); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if data, err := regular.Read(file, 4); err != nil || string(data) != "text" {
		t.Errorf("%q %v", data, err)
	}
	for path, says := range map[string]string{
		pipe: "a named pipe", link: "a named pipe", socket: "a socket", dir: "a directory", "/dev/zero": "a device",
	} {
		if _, err := regular.Read(path, 4); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := regular.Read(file, 3); err == nil || !strings.Contains(err.Error(), "more than 3 bytes") {
		t.Errorf("a longer file: %v", err)
	}
	if _, err := regular.Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), dir) {
		t.Errorf("no file: %v", err)
	}
}

// R38: nor is anything but a folder opened as one.
func TestOnlyFoldersAreOpenedAsFolders(t *testing.T) {
	dir := t.TempDir()
	file, pipe, link := filepath.Join(dir, "file"), filepath.Join(dir, "pipe"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), syscall.Mkfifo(pipe, 0o600), os.Symlink(pipe, link)); err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{file: "it is a file and not a directory", pipe: "a named pipe and", link: "a named pipe and", "/dev/zero": "a device and"} {
		if _, err := regular.OpenRoot(path); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := regular.OpenRoot(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), dir) {
		t.Errorf("no folder: %v", err)
	}
	root, err := regular.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	root.Close()
}

package regular_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

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

// R23, R49: of a folder, mounted or any other, a file is read as by its path.
func TestFilesOfAFolderAreReadAsByPath(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.WriteFile(at("file"), []byte("text"), 0o600), os.Mkdir(at("folder"), 0o700), syscall.Mkfifo(at("pipe"), 0o600), os.Symlink("file", at("link"))); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"file", "link", "folder", "pipe", "none"} {
		for _, most := range []int64{3, 4, 5} {
			want, wantErr := regular.Read(at(name), most)
			got, err := regular.ReadIn(regular.Folder(dir), name, most)
			if string(got) != string(want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("%s, %d bytes: %q, %v, and by its path %q, %v", name, most, got, err, want, wantErr)
			}
		}
	}
	held := fstest.MapFS{"folder/x": {}, "file": {Data: []byte("text")}}
	var kind regular.KindError
	var long regular.LongError
	if _, err := regular.ReadIn(held, "folder", 9); !errors.As(err, &kind) {
		t.Errorf("a directory: %v", err)
	}
	if _, err := regular.ReadIn(held, "file", 3); !errors.As(err, &long) {
		t.Errorf("a long one: %v", err)
	}
	if _, err := regular.ReadIn(held, "none", 3); !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "none") {
		t.Errorf("none: %v", err)
	}
}

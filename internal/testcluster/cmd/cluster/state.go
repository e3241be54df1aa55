package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// A state is the folder of one cluster. Who runs the cluster holds a lock on
// the file "pid", by which others find it: the kernel tells whose lock it is
// and lifts it when that process ends, so a number that was given to another
// process since is never mistaken for it.
type state string

func (s state) file(name string) string { return filepath.Join(string(s), name) }
func (s state) kubeconfig() string      { return s.file("kubeconfig") }
func (s state) bin() string             { return s.file("bin") }

func wholeFile(kind int16) *syscall.Flock_t {
	return &syscall.Flock_t{Type: kind, Whence: io.SeekStart}
}

// hold takes the lock until the process ends or closes the file.
func (s state) hold() (*os.File, error) {
	file, err := os.OpenFile(s.file("pid"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.FcntlFlock(file.Fd(), syscall.F_SETLK, wholeFile(syscall.F_WRLCK)); err != nil {
		file.Close()
		return nil, errors.New("another cluster runs already")
	}
	_, err = fmt.Fprintln(file, os.Getpid())
	return file, errors.Join(err, file.Truncate(int64(len(fmt.Sprintln(os.Getpid())))))
}

// holder is the number of the process that runs the cluster; 0 is none.
func (s state) holder() (int, error) {
	file, err := os.OpenFile(s.file("pid"), os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer file.Close()
	lock := wholeFile(syscall.F_WRLCK)
	if err := syscall.FcntlFlock(file.Fd(), syscall.F_GETLK, lock); err != nil {
		return 0, err
	}
	if lock.Type == syscall.F_UNLCK {
		return 0, nil
	}
	written, err := io.ReadAll(file)
	if err != nil || strings.TrimSpace(string(written)) != fmt.Sprint(lock.Pid) {
		return 0, fmt.Errorf("the cluster is held by process %d, but %s says %q: left alone", lock.Pid, file.Name(), written)
	}
	return int(lock.Pid), nil
}

// exports are the lines for a shell.
func (s state) exports() string {
	return fmt.Sprintf("export KUBECONFIG=%s\nexport PATH=%s:\"$PATH\"\n", quote(s.kubeconfig()), quote(s.bin()))
}

// quote is for paths that a shell would take apart.
func quote(path string) string {
	if !strings.ContainsAny(path, " \t'\"\\$`&;|<>()*?[]#~!{}") {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// clear removes what is for a running cluster only.
func (s state) clear() error {
	return errors.Join(os.RemoveAll(s.bin()), os.RemoveAll(s.kubeconfig()))
}

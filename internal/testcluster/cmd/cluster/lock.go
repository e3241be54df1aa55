package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"
)

// Who runs the cluster holds two locks, which the kernel lifts when it ends:
// one on the file "pid", of which the kernel tells the holder's number, and one
// on the folder itself, which nobody removes by mistake.

func wholeFile(kind int16) *syscall.Flock_t {
	return &syscall.Flock_t{Type: kind, Whence: io.SeekStart}
}

// locks are closed with the cluster.
type locks []*os.File

func (l locks) Close() {
	for _, file := range l {
		file.Close()
	}
}

// hold takes both locks until the process ends or closes them.
func (s state) hold() (locks, error) {
	folder, err := flock(string(s))
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, errors.New("another cluster runs already")
	}
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(s.file("pid"), os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.FcntlFlock(file.Fd(), syscall.F_SETLK, wholeFile(syscall.F_WRLCK)); err != nil {
		return nil, errors.New("another cluster runs already")
	}
	if err = file.Truncate(0); err == nil {
		_, err = fmt.Fprintln(file, os.Getpid())
	}
	return locks{folder, file}, err
}

// flock locks a file or folder, and does not wait for it.
func flock(name string) (*os.File, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// turn waits until no other cluster-up is at work in the folder.
func (s state) turn(ctx context.Context, errs io.Writer) (*os.File, error) {
	for told := false; ; told = true {
		file, err := flock(s.file(marker))
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return file, err
		}
		if !told {
			fmt.Fprintln(errs, "cluster: waiting for another cluster-up")
		}
		if err := pause(ctx); err != nil {
			return nil, err
		}
	}
}

// pause is a moment between two looks at what another process does.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return errors.New("stopped")
	case <-time.After(100 * time.Millisecond):
		return nil
	}
}

// holder is the number of the process that runs the cluster; 0 is none.
func (s state) holder() (int, error) {
	file, err := os.OpenFile(s.file("pid"), os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if errors.Is(err, os.ErrNotExist) {
		return s.folderHolder(), nil
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
		return s.folderHolder(), nil
	}
	if !s.holds(int(lock.Pid)) {
		if syscall.Kill(int(lock.Pid), 0) == syscall.ESRCH { // it has ended meanwhile
			return s.holder()
		}
		return 0, fmt.Errorf("%s is locked by process %d, which runs no cluster here: left alone", file.Name(), lock.Pid)
	}
	return int(lock.Pid), nil
}

// folderHolder finds who holds the folder in the kernel's list of locks, when
// the file "pid" was removed or is another by now.
func (s state) folderHolder() int {
	info, err := os.Stat(string(s))
	if err != nil {
		return 0
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	text, err := os.ReadFile("/proc/locks")
	if !ok || err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		var number, kind, how, mode, place string
		var pid int
		_, err := fmt.Sscan(line, &number, &kind, &how, &mode, &pid, &place)
		if err == nil && kind == "FLOCK" && strings.HasSuffix(place, fmt.Sprintf(":%d", stat.Ino)) && s.holds(pid) {
			return pid
		}
	}
	return 0
}

// holds says that a process is this command's hold for this very folder: none
// but that is ever ended. A process that is just ending has no command line any
// more, and still its locks.
func (s state) holds(pid int) bool {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && (len(line) == 0 || bytes.Contains(line, []byte("\x00hold\x00-state\x00"+string(s)+"\x00")))
}

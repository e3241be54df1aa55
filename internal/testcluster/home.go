package testcluster

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// prefix begins the name of every cluster's folder.
const prefix = "kora-testcluster-"

// fresh is how long a folder without a lock may be one that is just being made.
const fresh = time.Minute

// home is the folder of one cluster: certificates, data, logs. It is locked as
// long as this process lives, and a reaper removes it afterwards.
type home struct {
	dir    string
	lock   *os.File
	reaper *exec.Cmd
	pipe   io.Closer
}

// reap waits until its standard input ends, as it does with the process that
// holds the other end, and removes the folder: a killed process cannot. The
// programs are dying at the same time, so it tries until the folder stays gone.
const reap = `read -r _; n=0
while [ -e "$1" ] && [ $n -lt 100 ]; do rm -rf -- "$1"; n=$((n+1)); sleep 0.05; done`

func newHome() (_ *home, err error) {
	if err := sweep(os.TempDir(), time.Now().Add(-fresh)); err != nil {
		return nil, err
	}
	h := &home{}
	if h.dir, err = os.MkdirTemp("", prefix); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.remove())
		}
	}()
	if h.lock, err = lock(filepath.Join(h.dir, "lock")); err != nil {
		return nil, err
	}
	return h, h.guard()
}

// guard starts the reaper, in a session of its own: what kills a whole process
// group leaves it alive.
func (h *home) guard() (err error) {
	cmd := exec.Command("/bin/sh", "-c", reap, "reaper", h.dir)
	cmd.Dir, cmd.Env = "/", []string{"PATH=/usr/local/bin:/usr/bin:/bin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if h.pipe, err = cmd.StdinPipe(); err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	h.reaper = cmd
	return nil
}

// remove removes the folder, then lets the reaper find nothing to do.
func (h *home) remove() error {
	err := os.RemoveAll(h.dir)
	if h.lock != nil {
		err = errors.Join(err, h.lock.Close())
	}
	if h.reaper != nil {
		h.pipe.Close()
		err = errors.Join(err, h.reaper.Wait())
	}
	return err
}

// lock takes file for this process. The kernel gives it free when the process
// ends, and no child inherits it.
func lock(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// sweep removes folders below temp whose owner and reaper were both killed, as
// when a container ends: those that nobody holds and that are older than before.
func sweep(temp string, before time.Time) error {
	left, err := filepath.Glob(filepath.Join(temp, prefix+"*"))
	for _, dir := range left {
		info, statErr := os.Stat(dir)
		if statErr != nil || info.ModTime().After(before) {
			continue
		}
		held, lockErr := lock(filepath.Join(dir, "lock"))
		if lockErr != nil { // a living cluster, or another user's
			continue
		}
		err = errors.Join(err, os.RemoveAll(dir), held.Close())
	}
	return err
}

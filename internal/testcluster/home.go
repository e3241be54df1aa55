package testcluster

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// prefix begins the name of every cluster's folder; a number ends it.
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
	// The programs and the reaper run in other folders than this process.
	temp, err := filepath.Abs(os.TempDir())
	if err != nil {
		return nil, err
	}
	sweep(temp, time.Now().Add(-fresh))
	h := &home{}
	if h.dir, err = os.MkdirTemp(temp, prefix); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_, gone := h.remove()
			err = errors.Join(err, gone)
		}
	}()
	if h.lock, err = own(h.dir); err != nil {
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

// remove removes the folder, then lets the reaper find nothing to do. A reaper
// that somebody has killed is worth a word, but no failure: all is removed.
func (h *home) remove() (word string, err error) {
	err = os.RemoveAll(h.dir)
	if h.lock != nil {
		err = errors.Join(err, h.lock.Close())
	}
	if h.reaper != nil {
		h.pipe.Close()
		if died := h.reaper.Wait(); died != nil {
			word = fmt.Sprintf("the process that would have removed %s had ended (%v): removed without it", h.dir, died)
		}
	}
	return word, err
}

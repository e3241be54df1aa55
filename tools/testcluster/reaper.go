package main

import (
	"errors"
	"io"
	"os/exec"
	"syscall"
)

// reap waits until its standard input ends, which is when this process does.
// Then it kills the process group named last, if any, and removes the folder:
// a killed process can do neither. It tries again until the folder stays gone.
const reap = `group= n=0
while read -r line; do group=$line; done
[ -z "$group" ] || kill -s KILL -- "-$group"
while [ -e "$1" ] && [ $n -lt 100 ]; do rm -rf -- "$1"; n=$((n+1)); sleep 0.1; done`

// A reaping is the process that removes a folder after this one's death.
type reaping struct {
	cmd  *exec.Cmd
	pipe io.WriteCloser
}

// guard starts the reaper of folder, in a session of its own so that a signal
// to the whole group leaves it alive.
func guard(folder string) (*reaping, error) {
	cmd := exec.Command("/bin/sh", "-c", reap, "reaper", folder)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin"}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	return &reaping{cmd, pipe}, cmd.Start()
}

// watch names the group of processes that must not outlive this one; an empty
// name ends that.
func (r *reaping) watch(group string) { _, _ = io.WriteString(r.pipe, group+"\n") }

// Close ends the reaper; it removes its folder, if that still exists.
func (r *reaping) Close() error {
	var exit *exec.ExitError
	r.pipe.Close()
	if err := r.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return err
	}
	return nil
}

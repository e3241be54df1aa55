//go:build unix

package kube

import (
	"os/exec"
	"syscall"
)

// apart puts a program into a process group of its own, which ends with it when
// its context does.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

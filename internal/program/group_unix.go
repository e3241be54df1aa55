//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// Apart puts a program into a process group of its own, which ends with it when
// its context does.
func Apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

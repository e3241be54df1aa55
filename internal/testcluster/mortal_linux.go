package testcluster

import "syscall"

// mortal ties a child's life to the thread that starts it, and takes it out of
// the terminal's group: an interrupt is for the tests, which then stop it.
func mortal() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func supported() error { return nil }

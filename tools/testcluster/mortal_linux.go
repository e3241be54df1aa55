package main

import "syscall"

// mortal gives a child its own group and the death of its parent.
func mortal() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

package soak_test

import "syscall"

// mortal makes a process end with the thread that started it.
func mortal() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

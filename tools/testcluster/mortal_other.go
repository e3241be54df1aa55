//go:build !linux

package main

import "syscall"

// mortal gives a child its own group; only Linux tells it of its parent's death.
func mortal() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

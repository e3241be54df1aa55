//go:build !linux

package testcluster

import (
	"errors"
	"syscall"
)

func mortal() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }

// supported: only Linux ends a child with its parent, and only there is all of
// 127.0.0.0/8 this machine.
func supported() error { return errors.New("the test cluster runs on Linux only") }

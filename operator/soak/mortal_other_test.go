//go:build !linux

package soak_test

import "syscall"

func mortal() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }

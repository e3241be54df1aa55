//go:build !unix

package program

import "os/exec"

// Apart leaves a program as it is: there are no process groups here. The program
// itself ends with its context, and its output is no longer waited for.
func Apart(*exec.Cmd) {}

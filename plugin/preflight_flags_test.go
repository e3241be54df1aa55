package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

// R55: a flag that has no say in a run is refused, and not passed over.
func TestFlagsOfALiveClusterAreNotForABundle(t *testing.T) {
	for _, flags := range [][]string{{"--wait", "1m"}, {"--no-services"}} {
		_, words, exit := runKora(t, append([]string{"preflight", "-f", goodValues, "--bundle", t.TempDir()}, flags...)...)
		if exit != 2 || !strings.Contains(words, flags[0]+" is for a live cluster") {
			t.Errorf("%v: %d %s", flags, exit, words)
		}
	}
}

// R55: a disk that is full is no folder that somebody may not write to.
func TestAFullDiskIsToldAsOne(t *testing.T) {
	for err, want := range map[error]string{syscall.ENOSPC: "make room there", syscall.EDQUOT: "make room there", syscall.EACCES: "that this user may write to"} {
		if f := unwritten("dump", fmt.Errorf("write it: %w", &os.PathError{Op: "write", Path: "dump/x", Err: err})); !strings.Contains(f.Fix, want) {
			t.Errorf("%v: %s", err, f.Fix)
		}
	}
}

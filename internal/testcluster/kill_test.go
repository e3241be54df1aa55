package testcluster

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// childVariable makes this test binary play the run that is killed.
const childVariable = "KORA_TESTCLUSTER_CHILD"

func TestKilledRunLeavesNoProcessAndNoFolder(t *testing.T) {
	if os.Getenv(childVariable) != "" {
		waitToBeKilled(t)
		return
	}
	Shared(t) // skips under -short, and has the programs built
	temp := t.TempDir()
	child := again(t, "TestKilledRunLeavesNoProcessAndNoFolder", "TMPDIR="+temp, childVariable+"=1")
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	pids := readPids(t, out)
	if left := folders(t, temp); len(pids) != 6 || len(left) != 1 {
		t.Fatalf("before the kill there are processes %v and folders %v: want 6 and 1", pids, left)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // "signal: killed"
	deadline := time.Now().Add(time.Minute)
	for len(alive(pids)) > 0 || len(folders(t, temp)) > 0 {
		if time.Now().After(deadline) {
			t.Fatalf("left after the kill: processes %v, folders %v", alive(pids), folders(t, temp))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// waitToBeKilled is the run in a process of its own: it holds a cluster, tells
// its processes and waits for the end.
func waitToBeKilled(t *testing.T) {
	c := Shared(t)
	line := fmt.Sprint("pids ", c.home.reaper.Process.Pid)
	for _, one := range c.procs.running {
		line += fmt.Sprint(" ", one.cmd.Process.Pid)
	}
	fmt.Println(line)
	time.Sleep(time.Minute)
	t.Fatal("nobody killed this run")
}

// again runs one test of this binary in a process of its own.
func again(t *testing.T, name string, env ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^("+name+")$", "-test.v", "-test.timeout=5m")
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

// readPids finds the child's line among the testing package's own.
func readPids(t *testing.T, out io.Reader) (pids []int) {
	t.Helper()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || fields[0] != "pids" {
			continue
		}
		for _, field := range fields[1:] {
			pid, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
		return pids
	}
	t.Fatal("the run to be killed told no processes")
	return nil
}

// alive are those that still run; one that has ended and that nobody waits for
// keeps its number, but not its command line.
func alive(pids []int) (left []int) {
	for _, pid := range pids {
		if line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err == nil && len(bytes.TrimSpace(line)) > 0 {
			left = append(left, pid)
		}
	}
	return left
}

// folders are the clusters' folders below temp.
func folders(t *testing.T, temp string) (found []string) {
	t.Helper()
	entries, err := os.ReadDir(temp)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), prefix) {
			found = append(found, filepath.Join(temp, entry.Name()))
		}
	}
	return found
}

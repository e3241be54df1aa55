package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestMissingCompilerIsOneLineAndLeavesNothing(t *testing.T) {
	b := newBench(t)
	t.Setenv("PATH", "")
	if line := b.refused(); !strings.Contains(line, "no Go compiler on PATH") {
		t.Errorf("got %q", line)
	}
	if _, err := os.Stat(b.cache); !os.IsNotExist(err) {
		t.Errorf("the cache was made: %v", err)
	}
}

func TestFailedDownloadIsOneLineAndLeavesNothing(t *testing.T) {
	b := newBench(t)
	b.write("k8s-1.36/go.mod", "module example.invalid/m\n\ngo 1.26.0\n\nrequire example.invalid/gone v1.0.0\n")
	sum := "h1:" + strings.Repeat("A", 43) + "="
	b.write("k8s-1.36/go.sum", fmt.Sprintf("example.invalid/gone v1.0.0 %s\nexample.invalid/gone v1.0.0/go.mod %s\n", sum, sum))
	b.write("k8s-1.36/main.go", "package main\n\nimport _ \"example.invalid/gone\"\n\nfunc main() {}\n")
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOMODCACHE", t.TempDir())
	if line := b.refused(); !strings.Contains(line, "building k8s-1.36 failed: ") || !strings.Contains(line, "module lookup disabled") {
		t.Errorf("got %q", line)
	}
	if left := b.left(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSourceThatDoesNotCompileIsOneLine(t *testing.T) {
	b := newBench(t)
	b.write("k8s-1.36/main.go", "package main\n\nfunc main() { nothing() }\n")
	if line := b.refused(); !strings.Contains(line, "undefined: nothing") {
		t.Errorf("got %q", line)
	}
}

func TestTwoCallsAtOnceBuildOnce(t *testing.T) {
	b := newBench(t)
	var calls sync.WaitGroup
	said := make([]string, 3)
	for n := range said {
		calls.Go(func() { _, _, said[n] = b.run(t.Context()) })
	}
	calls.Wait()
	if all := strings.Join(said, ""); strings.Count(all, "testcluster: building") != 1 {
		t.Errorf("they said %q", said)
	}
}

// slowGo puts a compiler on PATH that never ends and has a child of its own,
// and gives the file that holds both their numbers once they run.
func slowGo(t *testing.T) (pids string) {
	t.Helper()
	bin := t.TempDir()
	pids = filepath.Join(bin, "pids")
	script := fmt.Sprintf("#!/bin/sh\nsleep 300 &\necho $$ $! > %[1]s.new && mv %[1]s.new %[1]s\nwait\n", pids)
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":/usr/bin:/bin")
	return pids
}

// within waits up to ten seconds.
func within(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// gone says that neither process of slowGo runs any more.
func gone(pids string) bool {
	text, err := os.ReadFile(pids)
	if err != nil {
		return false
	}
	for _, pid := range strings.Fields(string(text)) {
		if line, err := os.ReadFile("/proc/" + pid + "/cmdline"); err == nil && len(line) > 0 {
			return false
		}
	}
	return true
}

func exists(name string) bool { _, err := os.Stat(name); return err == nil }

func TestKilledBuildLeavesNoProcessAndNoFolder(t *testing.T) {
	b, pids := newBench(t), slowGo(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-source", b.source)
	cmd.Env = append(os.Environ(), childVariable+"=1", "KORA_CACHE="+b.cache, "K8S=1.36")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	within(t, "the compiler's start", func() bool { return exists(pids) })
	if len(b.left()) != 1 {
		t.Errorf("while it builds the cache holds %v, want one folder", b.left())
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // "signal: killed"
	within(t, "the end of compiler and folder", func() bool { return gone(pids) && len(b.left()) == 0 })
}

func TestStoppedBuildIsOneLineAndLeavesNothing(t *testing.T) {
	b, pids := newBench(t), slowGo(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for !exists(pids) && t.Context().Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	code, _, errs := b.run(ctx)
	if code != exitUnmet || !strings.HasSuffix(errs, "testcluster: building k8s-1.36 was stopped\n") {
		t.Errorf("exit %d, words %q", code, errs)
	}
	if !gone(pids) || len(b.left()) > 0 {
		t.Errorf("left behind: compiler %t, folders %v", !gone(pids), b.left())
	}
}

func TestTiedBuildStopsWhenItsInputEnds(t *testing.T) {
	b, pids := newBench(t), slowGo(t)
	in, end := io.Pipe()
	go func() {
		for !exists(pids) && t.Context().Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		end.Close()
	}()
	getenv := func(name string) string { return b.env[name] }
	if code := run(t.Context(), []string{"-tied", "-source", b.source}, getenv, in, io.Discard, io.Discard); code != exitUnmet {
		t.Errorf("exit %d", code)
	}
	if !gone(pids) || len(b.left()) > 0 {
		t.Errorf("left behind: compiler %t, folders %v", !gone(pids), b.left())
	}
}

func TestNextBuildSweepsWhatAKilledOneLeftAndNothingElse(t *testing.T) {
	b := newBench(t)
	cache, own := filepath.Join(b.cache, "testcluster"), t.TempDir()
	for _, name := range []string{unfinished + "123/tmp", unfinished + "notes"} {
		if err := os.MkdirAll(filepath.Join(cache, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(own, filepath.Join(cache, unfinished+"456")); err != nil {
		t.Fatal(err)
	}
	b.run(t.Context())
	left := strings.Join(b.left(), " ")
	if !strings.HasPrefix(left, unfinished+"456 "+unfinished+"notes k8s-1.36-") || !exists(own) {
		t.Errorf("the cache holds %v", left)
	}
}

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// A builder compiles targets below source into the cache.
type builder struct {
	source  string
	cache   string
	words   io.Writer
	verbose bool
}

// ensure gives the folder of t's programs and builds it when it is not there.
func (b builder) ensure(ctx context.Context, t target) (string, error) {
	key, err := b.key(t)
	if err != nil {
		return "", err
	}
	folder := filepath.Join(b.cache, key)
	if len(t.missing(folder)) == 0 {
		return folder, nil
	}
	if _, err := exec.LookPath("go"); err != nil {
		return "", fmt.Errorf("%s is not built yet, and there is no Go compiler on PATH to build it", t.module)
	}
	if t.borrows != nil {
		if _, err := b.ensure(ctx, *t.borrows); err != nil {
			return "", err
		}
	}
	lock, err := b.lock(ctx)
	if err != nil {
		return "", err
	}
	defer lock.Close()
	if len(t.missing(folder)) == 0 { // whoever held the lock has built it
		return folder, nil
	}
	return folder, b.buildInto(ctx, t, folder)
}

// buildInto makes folder, whole or not at all.
func (b builder) buildInto(ctx context.Context, t target, folder string) (err error) {
	if err := b.sweep(); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(b.cache, unfinished)
	if err != nil {
		return err
	}
	reaper, err := guard(temp)
	if err != nil {
		return errors.Join(err, os.RemoveAll(temp))
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp), reaper.Close()) }()
	bin := filepath.Join(temp, "bin")
	if err := b.compile(ctx, t, reaper, temp, filepath.Join(bin, t.binary)); err != nil {
		return err
	}
	if err := b.name(t, bin); err != nil {
		return err
	}
	if err := os.RemoveAll(folder); err != nil { // an incomplete one, by hand
		return err
	}
	return os.Rename(bin, folder)
}

// name puts the symlinks beside the binary.
func (b builder) name(t target, bin string) error {
	for _, name := range t.programs {
		if name == t.binary {
			continue
		}
		if err := os.Symlink(t.binary, filepath.Join(bin, name)); err != nil {
			return err
		}
	}
	if t.borrows == nil {
		return nil
	}
	key, err := b.key(*t.borrows)
	if err != nil {
		return err
	}
	return os.Symlink(filepath.Join("..", key, t.borrowed), filepath.Join(bin, t.borrowed))
}

// compile runs the Go compiler in t's module. Everything it makes on the way
// goes below temp.
func (b builder) compile(ctx context.Context, t target, reaper *reaping, temp, binary string) error {
	module := filepath.Join(b.source, t.module)
	gomod, err := os.ReadFile(filepath.Join(module, "go.mod"))
	if err != nil {
		return err
	}
	scratch := filepath.Join(temp, "tmp")
	if err := os.Mkdir(scratch, 0o755); err != nil {
		return err
	}
	fmt.Fprintf(b.words, "testcluster: building %s into the cache, once; minutes when nothing is compiled yet\n", t.module)
	cmd := exec.CommandContext(ctx, "go", "build", "-mod=readonly", "-buildvcs=false", "-trimpath",
		"-ldflags="+linkFlags(gomod), "-o", binary, t.pkg)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOTMPDIR="+scratch,
		"GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if b.verbose {
		cmd.Stderr = io.MultiWriter(&said, b.words)
	}
	if err := runGroup(cmd, reaper); err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("building %s was stopped", t.module)
		}
		return fmt.Errorf("building %s failed: %s (%w; -v shows all of it)", t.module, firstWord(said.String()), err)
	}
	return nil
}

// runGroup runs cmd and takes its own children along when it is stopped.
func runGroup(cmd *exec.Cmd, reaper *reaping) error {
	runtime.LockOSThread() // the death signal is tied to this thread
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = mortal()
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	if err := cmd.Start(); err != nil {
		return err
	}
	reaper.watch(strconv.Itoa(cmd.Process.Pid))
	defer reaper.watch("")
	return cmd.Wait()
}

// firstWord is the first line that tells what went wrong: not what was
// downloaded before, and not only the package's name.
func firstWord(said string) string {
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "go: downloading ") && !strings.HasPrefix(line, "# ") {
			return line
		}
	}
	return "the compiler said nothing"
}

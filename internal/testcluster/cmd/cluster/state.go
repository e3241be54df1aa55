package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// A state is the folder of one cluster: a kubeconfig, the programs a person
// calls in bin, a log, and what running.go and lock.go write.
type state string

// marker says that a folder is a cluster's, and is locked by the one cluster-up
// that is at work in it.
const marker = "kora-testcluster"

func (s state) file(name string) string { return filepath.Join(string(s), name) }
func (s state) kubeconfig() string      { return s.file("kubeconfig") }
func (s state) bin() string             { return s.file("bin") }

// binNames are the links in bin.
var binNames = []string{"kubectl", "helm", "helm4"}

// own makes the folder. One that holds anything else is somebody's: files with
// such names as bin and kubeconfig are removed at the end.
func (s state) own() error {
	if err := os.MkdirAll(string(s), 0o700); err != nil {
		return err
	}
	if _, err := os.Lstat(s.file(marker)); err == nil {
		return nil
	}
	entries, err := os.ReadDir(string(s))
	if err != nil {
		return err
	}
	for _, entry := range entries { // an earlier version left these two, and no marker
		if name := entry.Name(); name != "log" && name != "pid" {
			return fmt.Errorf("%s is not a cluster's folder: it holds %s", s, name)
		}
	}
	return os.WriteFile(s.file(marker), nil, 0o600)
}

// clear removes what is for a running cluster only, and only what up has made.
func (s state) clear() error {
	if _, err := os.Lstat(s.file(marker)); err != nil {
		return nil // nothing here is a cluster's
	}
	var failed error
	for _, name := range binNames {
		failed = errors.Join(failed, unlink(filepath.Join(s.bin(), name)))
	}
	if entries, err := os.ReadDir(s.bin()); err == nil && len(entries) == 0 {
		failed = errors.Join(failed, unlink(s.bin()))
	}
	return errors.Join(failed, unlink(s.file(running)), unlink(s.kubeconfig()))
}

// forget removes what tells about a cluster that has ended as it should.
func (s state) forget() error {
	if _, err := os.Lstat(s.file(marker)); err != nil {
		return nil
	}
	return errors.Join(unlink(s.file("log")), unlink(s.file("pid")))
}

func unlink(name string) error {
	err := os.Remove(name)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return err
}

// exports are the lines for a shell.
func (s state) exports() string {
	return fmt.Sprintf("export KUBECONFIG=%s\nexport PATH=%s:\"$PATH\"\n", quote(s.kubeconfig()), quote(s.bin()))
}

// quote is for paths that a shell would take apart.
func quote(path string) string {
	if !strings.ContainsAny(path, " \t\n'\"\\$`&;|<>()*?[]#~!{}") {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

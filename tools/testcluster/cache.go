package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// unfinished begins the name of a folder that is being built. Only a finished
// one is renamed to its key, so whatever bears a key is whole.
const unfinished = ".building-"

// cacheRoot is $KORA_CACHE/testcluster, or the same in the user's cache.
func cacheRoot(getenv func(string) string) (string, error) {
	if root := getenv("KORA_CACHE"); root != "" {
		if !filepath.IsAbs(root) { // each package's tests run in a folder of their own
			return "", fmt.Errorf("KORA_CACHE=%s: the path has to be absolute", root)
		}
		return filepath.Join(root, "testcluster"), nil
	}
	root, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache folder: %w: set KORA_CACHE", err)
	}
	return filepath.Join(root, "kora", "testcluster"), nil
}

// findSource looks upwards from the working folder for this command's own
// modules, unless it is told where they are.
func findSource(given string) (string, error) {
	if given != "" {
		return filepath.Abs(given)
	}
	at, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		for _, folder := range []string{at, filepath.Join(at, "tools", "testcluster")} {
			if _, err := os.Stat(filepath.Join(folder, "k8s-"+defaultVersion, "go.mod")); err == nil {
				return folder, nil
			}
		}
		if at == filepath.Dir(at) {
			return "", errors.New("not inside kora's repository: name tools/testcluster by -source")
		}
		at = filepath.Dir(at)
	}
}

// key names a build by everything that goes into it.
func (b builder) key(t target) (string, error) {
	sum := sha256.New()
	fmt.Fprintln(sum, platform(), t.pkg, t.binary, t.all())
	if t.borrows != nil {
		lent, err := b.key(*t.borrows)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(sum, lent)
	}
	gomod, err := os.ReadFile(filepath.Join(b.source, t.module, "go.mod"))
	if err != nil {
		return "", err
	}
	fmt.Fprintln(sum, linkFlags(gomod))
	files, err := sources(filepath.Join(b.source, t.module))
	if err != nil {
		return "", err
	}
	for _, file := range files {
		if err := hashFile(sum, file); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%s-%x", t.module, sum.Sum(nil)[:8]), nil
}

// sources are a module's files in the order of the hash. A pattern would be
// shorter, and find nothing below a folder with a bracket in its name.
func sources(module string) (files []string, err error) {
	entries, err := os.ReadDir(module)
	for _, wanted := range []func(name string) bool{
		func(name string) bool { return name == "go.mod" },
		func(name string) bool { return name == "go.sum" },
		func(name string) bool { return strings.HasSuffix(name, ".go") },
	} {
		for _, entry := range entries {
			if wanted(entry.Name()) {
				files = append(files, filepath.Join(module, entry.Name()))
			}
		}
	}
	return files, err
}

func hashFile(sum io.Writer, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(sum, "%s %d\n%s", filepath.Base(file), len(text), text)
	return err
}

// lock lets one process build into the cache at a time: two would each take
// all cores for the same work. The kernel lifts it when its holder dies.
func (b builder) lock(ctx context.Context) (*os.File, error) {
	if err := os.MkdirAll(b.cache, 0o755); err != nil {
		return nil, err
	}
	dir, err := os.Open(b.cache)
	if err != nil {
		return nil, err
	}
	for told := false; ; told = true {
		err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return dir, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			dir.Close()
			return nil, fmt.Errorf("lock %s: %w", b.cache, err)
		}
		if !told {
			fmt.Fprintln(b.words, "testcluster: waiting for another build")
		}
		select {
		case <-ctx.Done():
			dir.Close()
			return nil, errors.New("stopped while waiting for another build")
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// unfinishedName is what os.MkdirTemp makes of unfinished.
var unfinishedName = regexp.MustCompile(`^` + regexp.QuoteMeta(unfinished) + `[0-9]+$`)

// sweep removes what builds left that were killed together with their reaper.
// The lock is held, so nobody is building into any of it.
func (b builder) sweep() error {
	entries, err := os.ReadDir(b.cache)
	for _, entry := range entries {
		if entry.IsDir() && unfinishedName.MatchString(entry.Name()) { // a symlink is no folder
			err = errors.Join(err, os.RemoveAll(filepath.Join(b.cache, entry.Name())))
		}
	}
	return err
}

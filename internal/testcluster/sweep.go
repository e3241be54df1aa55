package testcluster

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

// lockName is the file that proves whose a folder is, and that is locked as
// long as its cluster lives.
const lockName = "kora-testcluster.lock"

// A deed is the lock's text. It names the very folder, by its number in the
// file system: a copy of a cluster's folder is somebody's copy, not a cluster's.
const deed = "kora test cluster 6b1f0d52-9c07-4a3e-8f6a-2d4be1a7c913: nobody holds this file, so the folder may be removed\n" +
	"uid %d folder %d:%d\n"

var homeName = regexp.MustCompile(`^` + prefix + `[0-9]+$`)

func deedOf(folder os.FileInfo) string {
	stat, ok := folder.Sys().(*syscall.Stat_t)
	if !ok {
		return "" // no text is ever taken for a deed then
	}
	return fmt.Sprintf(deed, os.Getuid(), stat.Dev, stat.Ino)
}

// own makes dir this process's. The kernel lifts the lock when the process
// ends, and no child inherits it. The deed is written under the lock: without
// it, a lock that is not held yet proves nothing.
func own(dir string) (*os.File, error) {
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
		_, err = io.WriteString(file, deedOf(info))
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// sweep removes folders below temp whose owner and reaper were both killed, as
// when a container ends: those that are provably clusters', that nobody holds
// and that are older than before. What cannot be removed stays: it is no
// reason not to start.
func sweep(temp string, before time.Time) {
	entries, _ := os.ReadDir(temp) // who cannot read it is told so when it makes a folder
	for _, entry := range entries {
		if homeName.MatchString(entry.Name()) {
			removeDead(filepath.Join(temp, entry.Name()), before)
		}
	}
}

func removeDead(dir string, before time.Time) {
	info, err := os.Lstat(dir)
	if err != nil || !private(info, os.ModeDir|0o700) || info.ModTime().After(before) {
		return
	}
	// Neither made nor followed, nor waited for if it is a pipe.
	file, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer file.Close()
	if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil { // a living cluster
		return
	}
	if proves(file, info) {
		_ = os.RemoveAll(dir)
	}
}

// private says that something is of this user and has just this mode.
func private(info os.FileInfo, mode os.FileMode) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid() && info.Mode().Type()|info.Mode().Perm() == mode
}

func proves(file *os.File, folder os.FileInfo) bool {
	info, err := file.Stat()
	if err != nil || !private(info, 0o600) {
		return false
	}
	text, err := io.ReadAll(io.LimitReader(file, 1000))
	want := deedOf(folder)
	return err == nil && want != "" && string(text) == want
}

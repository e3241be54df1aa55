package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/runkora/kora/internal/regular"
	"github.com/runkora/kora/verify/lock"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/report"
)

// checkWritten refuses to write over what a run reads, over its other file, or
// over what is no file: a pipe or a device is not waited for.
func (f *registryFlags) checkWritten(read []string) error {
	if f.lock != "" && f.vsa != "" && sameFile(f.lock, f.vsa) {
		return usageError{errors.New("--lock and --vsa name one file, and one would take the other's place")}
	}
	for _, out := range [][2]string{{"--lock", f.lock}, {"--vsa", f.vsa}} {
		if out[1] == "" {
			continue
		}
		if info, err := os.Stat(out[1]); err == nil && !info.Mode().IsRegular() {
			return usageError{fmt.Errorf("%s names what is no regular file: %s", out[0], out[1])}
		}
		if out[0] == "--vsa" && !replaceable(out[1]) {
			return usageError{fmt.Errorf("--vsa names a file that is no verification summary of kora's, and is left as it is: %s", out[1])}
		}
		if out[0] == "--lock" && !relockable(out[1]) {
			return usageError{fmt.Errorf("--lock names a file that is no lock of kora's, and is left as it is: %s", out[1])}
		}
		for _, in := range append([]string{f.roots.File, f.roots.TUFRoot, f.keyFile}, onDisk(read)...) {
			if in != "" && in != "-" && (sameFile(in, out[1]) || below(in, out[1])) {
				return usageError{fmt.Errorf("%s names a file that the run reads: %s", out[0], out[1])}
			}
		}
	}
	return nil
}

// onDisk are the paths that references may name: an OCI layout has its tag or
// digest behind it.
func onDisk(refs []string) []string {
	var out []string
	for _, ref := range refs {
		ref = strings.TrimPrefix(ref, "oci-layout:")
		out = append(out, ref)
		for _, sign := range []string{":", "@"} {
			if i := strings.LastIndex(ref, sign); i > 0 {
				out = append(out, ref[:i])
			}
		}
		if before, _, pinned := strings.Cut(ref, "@"); pinned {
			out = append(out, before)
		}
	}
	return out
}

// below reports whether a path lies in a directory.
func below(dir, path string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir() && strings.HasPrefix(placeOf(path, maxLinks), placeOf(dir, maxLinks)+string(filepath.Separator))
}

// replaceable reports whether a summary may take the place of what a path names:
// of nothing, of an empty file, or of summaries of kora's own.
func replaceable(path string) bool {
	file, err := regular.Open(placeOf(path, maxLinks))
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer file.Close()
	info, err := file.Stat()
	return err == nil && (info.Size() == 0 || report.Own(file))
}

// relockable reports whether a lock may take the place of what a path names: of
// nothing, of an empty file, or of what begins as a lock does, whole or not.
func relockable(path string) bool {
	file, err := regular.Open(placeOf(path, maxLinks))
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer file.Close()
	head, err := io.ReadAll(io.LimitReader(file, 4<<10))
	return err == nil && (len(head) == 0 || lock.Begins(head))
}

// misjudged reports whether the flags of the policy are wrong in themselves.
func (f *registryFlags) misjudged() bool {
	if f.readKey().Refused() {
		return false // that is a file, and may be there another time
	}
	_, bad := policy.New(f.policy)
	return bad.Refused()
}

// clear takes the summaries of an earlier run away: one that says PASSED must
// not outlast a run that did not come so far. A run that does not begin, since
// its flags are wrong, takes nothing away.
func (f *registryFlags) clear() error {
	if f.vsa == "" || f.misjudged() {
		return nil
	}
	if err := os.Remove(placeOf(f.vsa, maxLinks)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the verification summary of an earlier run: %w", err)
	}
	return nil
}

// sameFile reports whether two paths lead to one file, also one that is not
// there yet.
func sameFile(a, b string) bool {
	if placeOf(a, maxLinks) == placeOf(b, maxLinks) {
		return true
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// maxLinks is how many links that lead to nothing yet are followed.
const maxLinks = 40

// placeOf is where a path leads through all links, also to what is not there.
func placeOf(path string, links int) string {
	if at, err := filepath.Abs(path); err == nil {
		path = at
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	to, err := os.Readlink(path)
	if err == nil && links > 0 {
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		return placeOf(to, links-1)
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

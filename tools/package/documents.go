package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// documents are docs/, which the README links to, and the changes, and whoever has an
// archive may have no network. Of a checkout only what Git knows goes along: a note that
// somebody keeps there is theirs.
func (r *release) documents() ([]entry, error) {
	known, err := r.tracked("docs")
	if err != nil {
		return nil, err
	}
	out := []entry{{"CHANGELOG.md", filepath.Join(r.root, "CHANGELOG.md"), 0o644}}
	err = filepath.WalkDir(filepath.Join(r.root, "docs"), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(r.root, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch _, there := known[name]; {
		case known != nil && !there && d.IsDir():
			return fs.SkipDir
		case known != nil && !there:
		case d.IsDir():
			out = append(out, entry{name + "/", "", 0o755})
		default:
			out = append(out, entry{name, path, 0o644})
		}
		delete(known, name)
		return nil
	})
	for name := range known {
		err = errors.Join(err, fmt.Errorf("%s is in the repository and not on the disk: git restore %s brings it back", name, name))
	}
	return out, err
}

// tracked are the files of a folder that Git knows, and the folders that they are in;
// nil where the sources are no checkout, and all of them are the release's.
func (r *release) tracked(folder string) (map[string]struct{}, error) {
	if _, err := os.Lstat(filepath.Join(r.root, ".git")); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	cmd := exec.Command("git", "-C", r.root, "ls-files", "-z", "--", folder)
	text, err := cmd.Output()
	if err != nil {
		said := ""
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			said = ": " + strings.TrimSpace(string(exit.Stderr))
		}
		return nil, fmt.Errorf("git ls-files, which tells what of %s is the repository's: %w%s", folder, err, said)
	}
	out := map[string]struct{}{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(text), "\x00"), "\x00") {
		for ; name != "." && name != ""; name = path.Dir(name) {
			out[name] = struct{}{}
		}
	}
	return out, nil
}

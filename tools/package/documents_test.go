package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// documentsOf are the names that are packed of a folder with these files.
func documentsOf(t *testing.T, root string) ([]string, error) {
	t.Helper()
	all, err := (&release{root: root}).documents()
	var out []string
	for _, e := range all {
		out = append(out, e.name)
	}
	return out, err
}

// What lies in docs/ and is not the repository's goes into no archive; sources that are
// no checkout are packed whole, and a document that is gone is told.
func TestWhatOnlyLiesThereIsNotPacked(t *testing.T) {
	root := t.TempDir()
	write := func(names ...string) {
		for _, name := range names {
			path := filepath.Join(root, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("x"), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	git := func(args ...string) {
		if out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
	}
	write("docs/a.md", "docs/sub/ä b.md", "CHANGELOG.md")
	ours := []string{"CHANGELOG.md", "docs/", "docs/a.md", "docs/sub/", "docs/sub/ä b.md"}
	if got, err := documentsOf(t, root); err != nil || !slices.Equal(got, ours) {
		t.Errorf("no checkout: %v, %q", err, got)
	}
	git("init", "-q")
	git("add", ".")
	write("docs/notes.md", "docs/sub/draft", "docs/private/key.pem", "docs/.env")
	if got, err := documentsOf(t, root); err != nil || !slices.Equal(got, ours) {
		t.Errorf("a checkout: %v, %q", err, got)
	}
	if err := os.Remove(filepath.Join(root, "docs/a.md")); err != nil {
		t.Fatal(err)
	}
	if _, err := documentsOf(t, root); err == nil || !strings.Contains(err.Error(), "git restore docs/a.md") {
		t.Errorf("a document that is gone: %v", err)
	}
}

package lint

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

// What is read is not trusted: links are not followed, pipes not opened, and
// what is too long or too much is told.
func TestHostileFoldersEnd(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.yaml")
	put(t, secret, "kind: [hunter2\n")
	for name, prepare := range map[string]func(dir string) error{
		"a link to a file":   func(d string) error { return os.Symlink(secret, filepath.Join(d, "a.yaml")) },
		"a link to a folder": func(d string) error { return os.Symlink(filepath.Dir(secret), filepath.Join(d, "apps")) },
		"a link to itself":   func(d string) error { return os.Symlink(".", filepath.Join(d, "loop")) },
		"a pipe":             func(d string) error { return syscall.Mkfifo(filepath.Join(d, "a.yaml"), 0o644) },
	} {
		dir := t.TempDir()
		if err := prepare(dir); err != nil {
			t.Fatal(err)
		}
		if seen, found := Lint(dir); seen.Files != 0 || len(found) != 1 || found[0].Code != faults.NothingToLint || !found[0].Code.Unchecked() {
			t.Errorf("%s: %+v %+v", name, seen, found)
		}
	}
	for name, text := range map[string]string{
		"aliases":  "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n",
		"too long": "a: " + strings.Repeat("x", limits.Bytes) + "\n",
		"too deep": strings.Repeat("[", 5000),
	} {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "a.yaml"), text)
		if _, found := Lint(dir); !found.Refused() || found[0].File != filepath.Join(dir, "a.yaml") {
			t.Errorf("%s: %+v", name, found)
		}
	}
	if _, found := Lint(filepath.Join(t.TempDir(), "nothing")); len(found) != 1 || !found[0].Code.Unchecked() {
		t.Errorf("%+v", found)
	}
}

func FuzzLint(f *testing.F) {
	f.Add(appSet)
	for _, name := range []string{"kora", "kora-crds", "istiod"} {
		text, err := os.ReadFile("../../../argocd/apps/" + name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec: []\n")
	f.Add("apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {annotations: [a]}\nspec: {sources: [a, null, {helm: [b]}], syncPolicy: a, ignoreDifferences: {a: b}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		name := filepath.Join(t.TempDir(), "a.yaml")
		put(t, name, text)
		_, found := Lint(name)
		for _, fault := range found {
			if fault.File != name || fault.Line < 1 || fault.Message == "" {
				t.Errorf("%+v", fault)
			}
		}
	})
}

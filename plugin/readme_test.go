package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// examples are the indented blocks of the README, without their indent.
func examples(t testing.TB) []string {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	open := false
	for line := range strings.Lines(string(text)) {
		code, indented := strings.CutPrefix(line, "    ")
		switch {
		case indented && open:
			out[len(out)-1] += code
		case indented:
			out = append(out, code)
		}
		open = indented
	}
	return out
}

// withReadme gives each script the repository's place, and the values file that
// the README shows.
func withReadme(t testing.TB) func(*testscript.Env) error {
	blocks := examples(t)
	return func(env *testscript.Env) error {
		root, err := filepath.Abs("..")
		if err != nil {
			return err
		}
		env.Setenv("REPOSITORY", root)
		for _, b := range blocks {
			if strings.HasPrefix(b, "agents:\n") {
				return os.WriteFile(filepath.Join(env.WorkDir, "readme-kora.yaml"), []byte(b), 0o600)
			}
		}
		return nil
	}
}

// Every command that the README shows runs in the script readme.txtar, word for
// word but for a directory of the machine's own, which is in $WORK there.
func TestEveryExampleOfTheReadmeRuns(t *testing.T) {
	script, err := os.ReadFile("testdata/script/readme.txtar")
	if err != nil {
		t.Fatal(err)
	}
	run := strings.ReplaceAll(string(script), " $WORK/etc/", " /etc/")
	count := 0
	for _, block := range examples(t) {
		for line := range strings.Lines(block) {
			line = strings.TrimSpace(line)
			if rest, ok := strings.CutPrefix(line, "go run ./plugin "); ok {
				line = "kora " + rest
			}
			if !strings.HasPrefix(line, "kora ") {
				continue
			}
			count++
			if !strings.Contains(run, "\nexec "+line+"\n") && !strings.Contains(run, "\nexec sh -c '"+line+"; test $? = ") {
				t.Errorf("readme.txtar does not run %q: add it there as exec %s", line, line)
			}
		}
	}
	if count < 4 {
		t.Errorf("%d examples found", count)
	}
}

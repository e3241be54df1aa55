package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// elsewhere are the documents whose commands ask a registry. Tests of their own
// run them on registries of this machine; here they are read as far as the command
// line goes.
var elsewhere = []string{"verify.md"}

// slow are the commands that wait for a cluster, which other tests have.
var slow = []string{"kora preflight -f kora.yaml --only istio,spire --wait 5m"}

// R2, R55: every command of kora that a document shows is run by a script, word for
// word and with the status that it ends with; or it asks a registry or waits for a
// cluster, and then the line is one that kora understands.
func TestEveryCommandOfEveryDocumentRunsInAScript(t *testing.T) {
	scripts := strings.ReplaceAll(everyScript(t), " $WORK/etc/", " /etc/")
	documents, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, name := range append(documents, "../README.md") {
		for _, shown := range commandsOf(t, name) {
			count++
			line := strings.Replace(shown, "go run ./plugin ", "kora ", 1)
			switch {
			case strings.Contains(scripts, "exec "+line+"\n"), strings.Contains(scripts, "exec sh -c '"+line+"; test $? = "), strings.Contains(scripts, "exec sh -c '"+line+"'\n"):
			case !slices.Contains(elsewhere, filepath.Base(name)) && !slices.Contains(slow, line):
				t.Errorf("%s shows %q, which no script of testdata/script runs", name, line)
			default:
				readable(t, name, line)
			}
		}
	}
	if count < 40 {
		t.Errorf("%d commands found", count)
	}
}

// commandsOf are the lines of kora in the indented blocks of a document, whole where
// one goes on behind a backslash.
func commandsOf(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(strings.ReplaceAll(string(text), "\\\n", " ")) {
		code, indented := strings.CutPrefix(line, "    ")
		if code = strings.TrimRight(code, " \n"); indented && (strings.HasPrefix(code, "kora ") || strings.HasPrefix(code, "go run ./plugin ")) {
			out = append(out, code)
		}
	}
	return out
}

func everyScript(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir("testdata/script", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// readable reads a line down to its command and that one's flags.
func readable(t *testing.T, name, line string) {
	t.Helper()
	line, _, _ = strings.Cut(line, " | ")
	root := newRoot(&console{})
	cmd, rest, err := root.Find(doubleDashes(root, strings.Fields(line)[1:]))
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err != nil || cmd.HasSubCommands() && cmd.Flags().NArg() > 0 {
		t.Errorf("%s shows %q, which kora does not understand: %v", name, line, err)
	}
}

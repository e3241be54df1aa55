package values

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

// write makes a values file, which is named by its path in faults.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// load loads texts as files, and flags written "--set a=b".
func load(t testing.TB, texts []string, flags ...string) (*Tree, faults.List) {
	t.Helper()
	var in Input
	for i, text := range texts {
		in.Files = append(in.Files, write(t, fmt.Sprintf("%d.yaml", i), text))
	}
	for _, f := range flags {
		in.Flags = append(in.Flags, flag(t, f))
	}
	return Load(in)
}

func flag(t testing.TB, text string) Flag {
	name, assignment, _ := strings.Cut(text, " ")
	for _, kind := range []FlagKind{Set, SetString, SetJSON, SetFile} {
		if kind.String() == name {
			return Flag{kind, assignment}
		}
	}
	t.Fatalf("no flag %q", text)
	return Flag{}
}

func mustLoad(t testing.TB, texts []string, flags ...string) *Tree {
	t.Helper()
	tree, found := load(t, texts, flags...)
	if len(found) > 0 {
		t.Fatal(show(found))
	}
	return tree
}

// show writes faults as "code place field", in order, one a line.
func show(found faults.List) string {
	var lines []string
	for _, f := range found.Sorted() {
		lines = append(lines, fmt.Sprintf("%s %s:%d:%d %s", f.Code, filepath.Base(f.File), f.Line, f.Column, f.Field))
	}
	return strings.Join(lines, "\n")
}

package schema

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/runkora/kora/charts"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/values"
)

// embedded reads a file of the chart kora.
func embedded(t testing.TB, name string) []byte {
	t.Helper()
	files, err := charts.Open(charts.Kora)
	if err != nil {
		t.Fatal(err)
	}
	text, err := fs.ReadFile(files, name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// read makes a tree of a text.
func read(t testing.TB, text string) *values.Tree {
	t.Helper()
	tree, found := values.Read(source.NewFile("v.yaml", text))
	if found.Refused() {
		t.Fatal(show(found))
	}
	return tree
}

// show writes faults one a line: place, path, message, what is expected, and what
// to do.
func show(found faults.List) string {
	var lines []string
	for _, f := range found {
		lines = append(lines, fmt.Sprintf("%s %d:%d %s: %s; %s; %s", f.Code, f.Line, f.Column, f.Field, f.Message, f.Expected, f.Fix))
	}
	return strings.Join(lines, "\n")
}

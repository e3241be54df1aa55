package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

func TestCommittedPagesAreWhatTheCodeSays(t *testing.T) {
	var stderr bytes.Buffer
	if status := run([]string{"-check"}, filepath.Join("..", ".."), &stderr); status != 0 {
		t.Errorf("status %d: %s", status, &stderr)
	}
}

func TestWrittenPagesPassTheCheck(t *testing.T) {
	root := t.TempDir()
	var stderr bytes.Buffer
	if status := run(nil, root, &stderr); status != 0 {
		t.Fatalf("write: status %d: %s", status, &stderr)
	}
	if status := run([]string{"-check"}, root, &stderr); status != 0 || stderr.Len() > 0 {
		t.Errorf("check: status %d: %s", status, &stderr)
	}
}

func TestCheckNamesThePageAndLineAndWritesNothing(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "docs", "reference", "faults.md")
	var stderr bytes.Buffer
	if status := run([]string{"-check"}, root, &stderr); status != 1 || !strings.Contains(stderr.String(), "docs/reference/faults.md") {
		t.Errorf("no page: status %d: %s", status, &stderr)
	}
	run(nil, root, &stderr)
	edited := bytes.Replace(faultsPage(faults.Catalogue()), []byte("# Faults"), []byte("# Errors"), 1)
	if err := os.WriteFile(path, edited, 0o644); err != nil {
		t.Fatal(err)
	}
	stderr.Reset()
	status := run([]string{"-check"}, root, &stderr)
	want := "error: docs/reference/faults.md:3: differs from the code, run go run ./internal/docgen\n"
	if status != 1 || stderr.String() != want {
		t.Errorf("edited page: status %d: %q, want %q", status, stderr.String(), want)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, edited) {
		t.Errorf("-check wrote the page (%v)", err)
	}
}

func TestWrongUsageIsStatusTwo(t *testing.T) {
	for _, args := range [][]string{{"-nonsense"}, {"faults"}} {
		var stderr bytes.Buffer
		if status := run(args, t.TempDir(), &stderr); status != 2 || stderr.Len() == 0 {
			t.Errorf("%q: status %d: %s", args, status, &stderr)
		}
	}
}

func TestAPageThatCannotBeWrittenIsNamed(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "docs"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	if status := run(nil, root, &stderr); status != 1 || !strings.HasPrefix(stderr.String(), "error: write docs/reference/faults.md: ") {
		t.Errorf("status %d: %s", status, &stderr)
	}
}

func TestFirstDifferenceCountsLines(t *testing.T) {
	for _, c := range []struct {
		a, b string
		line int
	}{{"a\nb", "a\nb", 0}, {"a\nb", "a\nc", 2}, {"a\n", "a\nb", 2}, {"a", "a\nb", 2}, {"", "a", 1}} {
		if got := firstDifference([]byte(c.a), []byte(c.b)); got != c.line {
			t.Errorf("%q, %q: %d, want %d", c.a, c.b, got, c.line)
		}
	}
}

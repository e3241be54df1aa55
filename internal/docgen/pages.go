package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/runkora/kora"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/theme"
)

// page is one generated document: where it stands below the repository's root,
// with slashes, and what makes its content.
type page struct {
	path   string
	render func() []byte
}

// pages is the table of what docgen writes; a new document is one more row.
func pages() []page {
	return []page{
		{"docs/reference/faults.md", func() []byte { return faultsPage(faults.Catalogue()) }},
		{"docs/reference/values.md", valuesPage},
		{"docs/reference/theme.schema.json", func() []byte { return theme.Schema(kora.Version()) }},
	}
}

func write(root string, p page) error {
	path := filepath.Join(root, filepath.FromSlash(p.path))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write %s: %w", p.path, err)
	}
	if err := os.WriteFile(path, p.render(), 0o644); err != nil {
		return fmt.Errorf("write %s: %w", p.path, err)
	}
	return nil
}

func compare(root string, p page) error {
	got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(p.path)))
	if err != nil {
		return fmt.Errorf("read %s: %w", p.path, err)
	}
	if line := firstDifference(got, p.render()); line > 0 {
		return fmt.Errorf("%s:%d: differs from the code, run go run ./internal/docgen", p.path, line)
	}
	return nil
}

// firstDifference returns the first line, from 1, at which the two differ, and
// 0 when they are equal.
func firstDifference(a, b []byte) int {
	if bytes.Equal(a, b) {
		return 0
	}
	x, y := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	n := min(len(x), len(y))
	for i := range n {
		if !bytes.Equal(x[i], y[i]) {
			return i + 1
		}
	}
	return n + 1
}

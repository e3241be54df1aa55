package output

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

// R38: what a lock pinned is not taken back without a word, in a file that a
// person changed neither; a file of theirs, another generator's, and one that
// stays pinned are no matter.
func TestPinsAreNotTakenAwaySilently(t *testing.T) {
	pin := "chart: a@sha256:" + strings.Repeat("a", 64) + "\n"
	for name, c := range map[string]struct {
		disk, next string
		line       int
	}{
		"untouched":         {Sealed("test", "x: 1\n"+pin), "x: 1\n", 3},
		"changed by hand":   {Sealed("test", pin) + "mine: 1\n", "x: 1\n", 2},
		"stays pinned":      {Sealed("test", pin), pin, 0},
		"never pinned":      {Sealed("test", "x: 1\n"), "x: 2\n", 0},
		"another generator": {Sealed("other", pin), "x: 1\n", 0},
		"a person's":        {pin, "x: 1\n", 0},
		"nothing":           {"", "x: 1\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			set := Set{Generator: "test", Files: []File{{Path: "top.yaml", Text: c.next}}}
			if c.disk != "" {
				put(t, filepath.Join(dir, "top.yaml"), c.disk)
			}
			found := set.Unpinned(dir)
			if c.line == 0 {
				if len(found) != 0 {
					t.Errorf("%v", found)
				}
				return
			}
			if len(found) != 1 || found[0].Code != faults.LockMismatch || found[0].File != filepath.Join(dir, "top.yaml") || found[0].Line != c.line || found[0].Column < 8 {
				t.Errorf("%+v", found)
			}
		})
	}
	if found := sample().Unpinned(filepath.Join(t.TempDir(), "none")); len(found) != 0 {
		t.Errorf("%v", found)
	}
}

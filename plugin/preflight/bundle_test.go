package preflight

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/preflight/facts"
)

// R55: a dump takes the place of an earlier one, and of nothing else that has its
// name.
func TestADumpReplacesADumpAlone(t *testing.T) {
	dir, seen := t.TempDir(), facts.Nothing("a test")
	for range 2 {
		if _, err := WriteBundle(dir, seen); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, bundleFile)
	for _, other := range []string{`{"of":"somebody else"}`, "", "{"} {
		if err := os.WriteFile(path, []byte(other), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := WriteBundle(dir, seen); err == nil || !strings.Contains(err.Error(), "another folder") {
			t.Errorf("%q: %v", other, err)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != other {
			t.Errorf("%q became %q: %v", other, text, err)
		}
	}
}

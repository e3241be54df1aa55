//go:build helmfile

package helmfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/generator/releases"
)

// R38: what lies in Helmfile's cache is never another chart than the one that is
// named: neither of another registry, nor without the digest of a lock or of
// another one. Each run leaves a changed chart behind, as one that was tampered
// with would lie there.
func TestRealHelmfileTakesNoOtherChartOutOfItsCache(t *testing.T) {
	cache := t.TempDir()
	a, b := "sha256:"+strings.Repeat("a", 64), "sha256:"+strings.Repeat("b", 64)
	for _, c := range []struct{ registry, digest string }{
		{"ghcr.io/runkora/charts", ""}, {"mirror.example.com:5000/kora", ""},
		{"ghcr.io/runkora/charts", a}, {"ghcr.io/runkora/charts", b}, {"mirror.example.com:5000/kora", a},
	} {
		pins, at := releases.Pins{Version: "1.4.0"}, ""
		if c.digest != "" {
			pins.Digests, at = map[string]string{"kora": c.digest, "kora-crds": c.digest}, "@"+c.digest
		}
		all := calls(t, pins, least+"charts: { kora: 'oci://"+c.registry+"' }\n", "", "HELMFILE_CACHE_HOME="+cache)
		for _, chart := range []string{"kora", "kora-crds"} {
			if !slices.ContainsFunc(all, func(call []string) bool {
				return slices.Contains(call, "pull") && slices.Contains(call, "oci://"+c.registry+"/"+chart+at)
			}) {
				t.Errorf("%s of %s%s is not pulled: %q", chart, c.registry, at, all)
			}
			if call := all[upgrade(all, chart)]; slices.ContainsFunc(call, changed) {
				t.Errorf("%s of %s%s is another's: %q", chart, c.registry, at, call)
			}
		}
		change(t, cache)
	}
}

// change puts a mark into every chart of a folder.
func change(t *testing.T, dir string) {
	t.Helper()
	count := 0
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() != "Chart.yaml" {
			return err
		}
		count++
		return os.WriteFile(filepath.Join(filepath.Dir(name), "changed"), nil, 0o644)
	})
	if err != nil || count == 0 {
		t.Fatalf("%d charts in the cache: %v", count, err)
	}
}

func changed(chart string) bool {
	_, err := os.Stat(filepath.Join(chart, "changed"))
	return err == nil && filepath.IsAbs(chart)
}

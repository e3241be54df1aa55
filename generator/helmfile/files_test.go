package helmfile

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/generator/releases"
	"github.com/runkora/kora/internal/source"
)

// told is what a Helmfile says that is filled in over a folder; nothing where it
// goes on.
func told(t *testing.T, facts string, change func(fstest.MapFS)) []string {
	t.Helper()
	env, found := environment.Read(source.NewFile("e.yaml", least+facts))
	if found.Refused() {
		t.Fatal(found)
	}
	set := generated(t, releases.Pins{Version: "1.4.0"})
	folder := onDisk(set)
	change(folder)
	_, err := fillIn(t, set, env, folder)
	if err == nil {
		return nil
	}
	_, said, _ := strings.Cut(err.Error(), "the environment is wrong:\n")
	return strings.Split(said, "\n")
}

// R39: a theme that the environment names and that is not there, or is no file,
// stops the Helmfile with words before its first release; one that is there, and
// none, do not.
func TestTheThemeHasToBeThere(t *testing.T) {
	gone := func(f fstest.MapFS) { delete(f, "values/theme.yaml") }
	folder := func(f fstest.MapFS) { f["values/theme.yaml"] = &fstest.MapFile{Mode: fs.ModeDir} }
	said := []string{"  theme must be a file that is there: values/theme.yaml"}
	for name, c := range map[string]struct {
		facts  string
		change func(fstest.MapFS)
		want   []string
	}{
		"gone":      {"theme: theme.yaml\n", gone, said},
		"a folder":  {"theme: theme.yaml\n", folder, said},
		"elsewhere": {"theme: themes/a.yaml\n", gone, []string{"  theme must be a file that is there: values/themes/a.yaml"}},
		"there":     {"theme: theme.yaml\n", func(fstest.MapFS) {}, nil},
		"no theme":  {"", gone, nil},
	} {
		if diff := cmp.Diff(c.want, told(t, c.facts, c.change)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// R39: whatever values file is gone is told before the first release, all of them
// at once: Helmfile itself would open the last with everything else installed.
func TestEveryValuesFileHasToBeThere(t *testing.T) {
	var named []string
	for _, r := range read(t, releases.Pins{Version: "1.4.0"}, least).Releases {
		named = append(named, r.Values...)
	}
	said := told(t, "", func(f fstest.MapFS) {
		maps.DeleteFunc(f, func(name string, _ *fstest.MapFile) bool { return slices.Contains(named, name) })
	})
	if len(said) != len(named) || len(named) != 6 {
		t.Fatalf("%q of %q", said, named)
	}
	for i, name := range named {
		if !strings.HasPrefix(said[i], "  "+name+" must be a file that is there: the release ") {
			t.Errorf("%q", said[i])
		}
	}
}

package floors

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

// list asks the go command for packages of this module and what they import.
func list(t *testing.T, patterns ...string) []listed {
	t.Helper()
	args := append([]string{"list", "-json=ImportPath,Imports,Deps"}, patterns...)
	cmd := exec.Command("go", args...)
	cmd.Dir = "../.."
	var words strings.Builder
	cmd.Stderr = &words
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, words.String())
	}
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

func own(path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, Module)
	return strings.TrimPrefix(rest, "/"), ok
}

// architecture.md: nothing imports upward.
func TestNothingImportsUpward(t *testing.T) {
	all := list(t, "./...")
	if len(all) < 10 {
		t.Fatalf("only %d packages listed", len(all))
	}
	for _, p := range all {
		name, _ := own(p.ImportPath)
		for _, i := range p.Imports {
			if imported, ok := own(i); ok && Of(imported) > Of(name) {
				t.Errorf("%s (floor %d) imports %s (floor %d)", name, Of(name), imported, Of(imported))
			}
		}
	}
}

// architecture.md, rule 5; dependencies.md: heavy imports stand behind narrow packages.
func TestHeavyImportsStayWhereTheyBelong(t *testing.T) {
	for _, rule := range Rules() {
		for _, pkg := range rule.Packages {
			for _, p := range list(t, Module+"/"+pkg) {
				for _, forbidden := range rule.Forbidden {
					if i := slices.IndexFunc(p.Deps, func(d string) bool { return strings.HasPrefix(d, forbidden) }); i >= 0 {
						t.Errorf("%s brings in %s: %s", pkg, p.Deps[i], rule.Why)
					}
				}
			}
		}
	}
}

func TestFloorsGoByTheLongestPrefix(t *testing.T) {
	for pkg, want := range map[string]int{"": 0, "internal/faults": 0, "internal/docgen": 2, "operator/api/v1alpha1": 0, "operator/patches/guard": 1, "plugin": 2, "plugins": 0} {
		if got := Of(pkg); got != want {
			t.Errorf("%q: floor %d, want %d", pkg, got, want)
		}
	}
}

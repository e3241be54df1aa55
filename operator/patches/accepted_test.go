package patches

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"

	"github.com/runkora/kora/internal/fields"
)

// expectation is a comment line "# Kind name: path = value".
type expectation struct {
	object, value string
	path          fields.Path
}

func expectations(t testing.TB, f txtar.File) []expectation {
	t.Helper()
	var out []expectation
	for line := range strings.Lines(string(f.Data)) {
		text, comment := strings.CutPrefix(strings.TrimSpace(line), "# ")
		if !comment {
			break
		}
		object, rest, okObject := strings.Cut(text, ": ")
		path, value, okValue := strings.Cut(rest, " = ")
		if !okObject || !okValue {
			t.Fatalf("not an expectation: %s", line)
		}
		out = append(out, expectation{object, value, fields.Path(path)})
	}
	if len(out) == 0 {
		t.Fatal("the file expects nothing")
	}
	return out
}

// lookUp follows a path through plain values.
func lookUp(v any, path fields.Path) any {
	for _, s := range path.Steps() {
		var next any = fields.Absent
		switch v := v.(type) {
		case map[string]any:
			if child, ok := v[s.Name]; ok {
				next = child
			}
		case []any:
			for i, item := range v {
				if m, _ := item.(map[string]any); i == s.Index || s.Key != "" && Text(m[s.Key]) == s.Value {
					next = item
				}
			}
		}
		v = next
	}
	return v
}

// renderFile loads, compiles and renders a file alone, and takes no fault.
func renderFile(t testing.TB, f txtar.File) (*Set, *Result) {
	t.Helper()
	entries, found := loaded(t, f)
	set, more := Compile(entries)
	if found = append(found, more...); len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	result, found := set.Render(settings())
	if len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	return set, result
}

// R12, R14: what a patch may do it may do without a word, and the objects stay
// what the API server and Pod Security restricted take.
func TestPatchIsTakenWithoutAWord(t *testing.T) {
	a := archive(t, "accepted.txtar")
	if len(a.Files) < 70 {
		t.Fatalf("%d files", len(a.Files))
	}
	for _, file := range a.Files {
		t.Run(strings.TrimSuffix(file.Name, filepath.Ext(file.Name)), func(t *testing.T) {
			wanted := expectations(t, file)
			_, result := renderFile(t, file)
			for _, o := range result.Objects {
				checkObject(t, o)
				for _, w := range wanted {
					if got := Text(lookUp(o.Plain, w.path)); w.object == o.Title() && got != w.value {
						t.Errorf("%s: %s is %s, want %s", w.object, w.path, got, w.value)
					}
				}
			}
		})
	}
}

// checkObject decodes an object strictly and lets Pod Security judge its pod.
func checkObject(t *testing.T, o *Object) {
	t.Helper()
	typed, err := decode(o.Plain, o.kind)
	if err != nil {
		t.Errorf("%s: %v", o.Title(), err)
		return
	}
	if !equality.Semantic.DeepEqual(typed, o.Typed) {
		t.Errorf("%s: what is printed is not what is returned", o.Title())
	}
	meta, spec, _ := podOf(typed)
	if spec == nil {
		return
	}
	e, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"v1.34", "v1.36", "latest"} {
		v, err := api.ParseVersion(version)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range e.EvaluatePod(api.LevelVersion{Level: api.LevelRestricted, Version: v}, meta, spec) {
			if !r.Allowed {
				t.Errorf("%s: restricted %s: %s, %s", o.Title(), version, r.ForbiddenReason, r.ForbiddenDetail)
			}
		}
	}
}

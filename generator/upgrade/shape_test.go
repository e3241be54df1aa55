package upgrade

import (
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

// R56: a rule is not said to hold of what is no value of its kind, though it is the
// same on both sides: each that the rules look at, of every other kind.
func TestKindsAreJudged(t *testing.T) {
	kinds := map[string]string{"5": "number", "true": "boolean", "text": "text", "[a]": "texts", "[5]": "list", "{ a: b }": "map", "{ a: {} }": "maps"}
	takes := map[string][]string{
		"global": {"map", "maps"}, "global.trustDomain": {"text"}, "agents": {"map", "maps"}, "agents.workspace": {"map", "maps"},
		"agents.workspace.accessModes": {"texts"}, "agents.workspace.size": {"number"}, "agents.workspace.storageClassName": {"text"}, "agents.manifestPatches": {"maps"},
	}
	if len(takes) != len(shapes()) {
		t.Errorf("%d of %d", len(takes), len(shapes()))
	}
	for path, kindsTaken := range takes {
		for text, kind := range kinds {
			var b strings.Builder
			steps := strings.Split(path, ".")
			for i, key := range steps {
				b.WriteString(strings.Repeat("  ", i) + key + ":")
				if i == len(steps)-1 {
					b.WriteString(" " + text)
				}
				b.WriteString("\n")
			}
			if steps[0] != "global" {
				b.WriteString(same)
			}
			plan, found := Make(request(t, "1.3.2", "1.4.0", b.String(), b.String()))
			told := slices.ContainsFunc(found, func(f faults.Fault) bool {
				return f.Code == faults.WrongType && f.Field == path && f.Line == len(steps) && f.Column > 0
			})
			if taken := slices.Contains(kindsTaken, kind); told == taken || told && plan != nil {
				t.Errorf("%s: %s: told %t: %+v", path, text, told, found)
			}
		}
	}
}

// R56: the values that a revision brings back are judged the same, without a line.
func TestKindsOfARevisionAreJudged(t *testing.T) {
	r := Request{To: "1.3.2", Kora: "1.4.0", Namespace: "kora-system", Live: &Live{Kora: revisions("superseded 1.3.2", "deployed 1.4.0")}}
	for i := range r.Live.Kora {
		r.Live.Kora[i].Values = map[string]any{"global": map[string]any{"trustDomain": map[string]any{"a": "b"}}}
	}
	plan, found := Make(r)
	if plan != nil || len(found) != 1 || found[0].Code != faults.WrongType || found[0].Field != "global.trustDomain" || found[0].Object != "Release kora revision 1" {
		t.Errorf("%+v", found)
	}
}

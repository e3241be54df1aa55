package release_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/release"
)

// objectsOf are the objects of an archive by name, and the field that each one's
// first line names.
func objectsOf(t *testing.T, file string) (texts, fields map[string]string) {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	long := regexp.MustCompile(`@(\d{4,})`)
	texts, fields = map[string]string{}, map[string]string{}
	for _, f := range archive.Files {
		text := long.ReplaceAllStringFunc(string(f.Data), func(n string) string {
			count, _ := strconv.Atoi(n[1:])
			return strings.Repeat("x", count)
		})
		if first, rest, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(first, "# ") {
			fields[f.Name], text = first[2:], rest
		}
		if texts[f.Name] = text; len(f.Data) == 0 {
			t.Fatalf("%s is empty", f.Name)
		}
	}
	return texts, fields
}

// R19: what the API server would refuse is refused here, at its field; what it takes
// is taken.
func TestRefusalsAreForetold(t *testing.T) {
	texts, fields := objectsOf(t, "refused.txtar")
	if len(texts) < 80 || len(fields) != len(texts) {
		t.Fatalf("%d objects, %d fields", len(texts), len(fields))
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			out := release.Render(t.Context(), of(t, text))
			found := false
			for _, f := range out.Found {
				if f.Code != faults.Unsound && f.Code != faults.NotServed {
					t.Errorf("%s: %s", f.Code, f.Message)
				}
				found = found || strings.HasPrefix(f.Field, fields[name])
			}
			if !found {
				t.Errorf("nothing is said of %s:\n%s", fields[name], told(out.Found))
			}
		})
	}
	texts, _ = objectsOf(t, "accepted.txtar")
	for name, text := range texts {
		t.Run("taken/"+name, func(t *testing.T) { good(t, of(t, text)) })
	}
}

// R19: what only a version refuses is refused for that version and later ones.
func TestNetworksAreJudgedByTheVersion(t *testing.T) {
	texts, _ := objectsOf(t, "refused.txtar")
	for version, refuses := range map[string]bool{"1.34.0": false, "1.35.9": false, "1.36.0": true, "1.40.0": true} {
		for _, name := range []string{"network with bits of an address", "network with leading zeros"} {
			r := of(t, texts[name])
			r.KubeVersion = version
			if out := release.Render(t.Context(), r); out.Found.Refused() != refuses {
				t.Errorf("%s, %s: %s", version, name, told(out.Found))
			}
		}
	}
}

// R19: the API server judges the same. Of networks 1.36 and later are stricter.
func TestClusterRefusesWhatIsForetold(t *testing.T) {
	s := newServer(t)
	version := s.version(t)
	for file, refuses := range map[string]bool{"refused.txtar": true, "accepted.txtar": false} {
		texts, _ := objectsOf(t, file)
		for name, text := range texts {
			r := of(t, text)
			r.KubeVersion = version
			out := release.Render(t.Context(), r)
			said := s.judges(t, out)
			if (len(said) > 0) != out.Found.Refused() || strings.HasPrefix(version, "v1.36") && out.Found.Refused() != refuses {
				t.Errorf("%s: the API server says %q, and kora\n%s", name, said, told(out.Found))
			}
		}
	}
}

// R19: of all of Kubernetes' kinds, those that kora says are not served by this
// version are not, and each kind that is served can be rendered for it.
func TestClusterServesWhatKoraSays(t *testing.T) {
	s := newServer(t)
	version := s.version(t)
	served := s.serves(t)
	tried := 0
	for kind := range release.Kinds() {
		apiVersion, name, _ := strings.Cut(kind, " ")
		r := of(t, "apiVersion: "+apiVersion+"\nkind: "+name+"\nmetadata: { name: a }\n")
		r.KubeVersion = version
		for _, f := range release.Render(t.Context(), r).Found {
			if f.Code != faults.NotServed {
				continue
			}
			tried++
			if served[kind] {
				t.Errorf("Kubernetes %s serves %s, and kora says: %s", version, kind, f.Message)
			}
			if strings.HasSuffix(kind, "List") || strings.HasSuffix(kind, "Review") || strings.HasSuffix(kind, "Scale") {
				continue // the server lists none
			}
			if strings.Contains(f.Fix, "apiVersion: ") && !served[strings.TrimPrefix(f.Fix, "write apiVersion: ")+" "+name] {
				t.Errorf("%s: %s is not served either", kind, f.Fix)
			}
		}
	}
	if tried < 50 {
		t.Errorf("only %d kinds are not served", tried)
	}
}

package lint

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// R41, R44: an old word for a boolean where a text belongs is told where it
// stands, in an Application, and in the template of an ApplicationSet; in quotes it
// is a text, and where a boolean belongs, or anything, it is none of this rule's.
func TestPlainWordsAreNoTexts(t *testing.T) {
	spec := `  project: no
  destination: { server: https://kubernetes.default.svc, namespace: on }
  source:
    repoURL: https://git.example.com/a.git
    path: off
    targetRevision: N
    helm: { valueFiles: [y], valuesObject: { enabled: on } }
  syncPolicy:
    managedNamespaceMetadata: { labels: { yes: "on", quoted: "no" } }
    syncOptions: [CreateNamespace=true]
`
	app := "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: Off, labels: { a: yes } }\nspec:\n" + spec
	set := "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: s }\nspec:\n  generators: []\n  template:\n    metadata: { name: Off, labels: { a: yes } }\n    spec:\n"
	for line := range strings.Lines(spec) {
		set += "    " + line
	}
	want := []string{"Off, labels", "yes } }", "no", "on }", "off", "N", `y], valuesObject`, "yes"}
	for name, text := range map[string]string{"an Application": app, "an ApplicationSet": set} {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "a.yaml"), text)
		var got []string
		for _, each := range told(t, dir) {
			if word, ok := strings.CutSuffix(strings.TrimPrefix(each, "a.yaml "), " KORA-F003"); ok {
				got = append(got, word)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s\n%s", name, diff, text)
		}
	}
}

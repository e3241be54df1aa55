package argocd

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/generator/releases"
)

// words are texts that some reader of YAML takes for something else.
var words = []string{
	"y", "Y", "yes", "Yes", "YES", "n", "N", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF",
	"true", "False", "null", "Null", "~", "", " ", "=", "<<", "-", "?", "|", ">", "*a", "&a", "!a", "#", "a #b", "a: b", "[", "{}", "@", "`", "%",
	"0", "010", "0o7", "0x1f", "0b11", "1_000", ".5", "5.", "1e3", ".inf", ".NaN", "1:30:00", "190:20:30", "2024-01-01", "2024-01-01T00:00:00Z",
	"'", "\"", "\\", " a", "a ", "a\n", "\na", " a\nb", "a\n\n", "\n", "\t", "a\tb", "\t\n", "a\r\nb", "\u0085", "\u2028", "\ufeff", "\u007f", "\u0080", "\uffff", "\x00", "---", "...", "a\n---\nb", "\u00e4", "\U0001f600",
}

// R44: whatever the text, as a value or a key, Argo CD, kubectl and Helm, which
// read by sigs.k8s.io/yaml, have it back as it was given.
func TestEveryTextComesBackAsAText(t *testing.T) {
	all := words
	random := rand.New(rand.NewPCG(1, 44))
	for range 5000 {
		var b strings.Builder
		for range 1 + random.IntN(4) {
			b.WriteString(words[random.IntN(len(words))])
		}
		all = append(all, b.String())
	}
	for _, word := range all {
		given := map[string]any{"in": "the first line", "key": map[string]any{word: word}, "list": []any{word}}
		text, err := print(given, notes{"": "A head."})
		if err != nil {
			t.Fatalf("%q: %v", word, err)
		}
		var got map[string]any
		if err := yaml.UnmarshalStrict([]byte(text), &got); err != nil {
			t.Errorf("%q: %v\n%s", word, err, text)
		} else if diff := cmp.Diff(given, got); diff != "" {
			t.Errorf("%q: %s\n%s", word, diff, text)
		}
	}
}

// R44: a fact that is an old word for a boolean stays a text in every place that
// the Applications have for it.
func TestFactsThatAreWordsStayTexts(t *testing.T) {
	facts := `trustDomain: "no"
clusterName: "no"
frontendHost: kora.example.com
systemNamespace: "on"
imagePullSecrets: ["y"]
istio: { revision: "on" }
workspace: { storageClassName: "yes" }
nodePools:
  sandbox:
    nodeSelector: { "off": "on" }
    tolerations: [{ key: "on", value: "off", operator: Equal }]
argocd:
  namespace: "off"
  project: "no"
  apps: { url: "https://git.example.com/a.git", path: "on", revision: "no" }
  values: { url: "https://git.example.com/v.git", path: "y", revision: "N" }
`
	set := generated(t, facts, releases.Pins{Version: "1.4.0"})
	parent := application(t, set, "app-of-apps.yaml")
	if s := parent.Spec.Source; s.Path != "on" || s.TargetRevision != "no" || parent.Namespace != "off" || parent.Spec.Project != "no" {
		t.Errorf("%+v", parent)
	}
	app := application(t, set, "apps/kora.yaml")
	if app.Spec.Destination.Namespace != "on" || app.Spec.SyncPolicy.ManagedNamespaceMetadata.Labels["istio.io/rev"] != "on" || app.Spec.Sources[1].TargetRevision != "N" {
		t.Errorf("%+v", app.Spec)
	}
	var values struct {
		Global struct {
			TrustDomain      string
			ImagePullSecrets []string
		}
		Istio  struct{ Revision string }
		Agents struct {
			Workspace struct{ StorageClassName string }
			Workloads struct {
				Sandbox struct {
					NodeSelector map[string]string
					Tolerations  []struct{ Key, Value string }
				}
			}
		}
	}
	if err := yaml.Unmarshal(app.Spec.Sources[0].Helm.ValuesObject.Raw, &values); err != nil {
		t.Fatal(err)
	}
	want := "{Global:{TrustDomain:no ImagePullSecrets:[y]} Istio:{Revision:on} Agents:{Workspace:{StorageClassName:yes} Workloads:{Sandbox:{NodeSelector:map[off:on] Tolerations:[{Key:on Value:off}]}}}}"
	if got := fmt.Sprintf("%+v", values); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

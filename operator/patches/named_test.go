package patches

import (
	"fmt"
	"testing"

	"github.com/runkora/kora/internal/source"
)

// R15: the agent types that targets name are found by labels and names, so that what is
// for one of them alone is tried on it; a target for all names none.
func TestNamedAgentTypes(t *testing.T) {
	for target, want := range map[string]string{
		`{kind: Pod}`:                                                                 "[]",
		`{kind: Pod, name: sandbox-.*}`:                                               "[]",
		`{kind: Pod, name: sandbox-coder-.*}`:                                         "[{coder }]",
		`{kind: Pod, name: sandbox-coder-run1}`:                                       "[{coder }]",
		`{kind: Pod, name: 'sandbox-(a|b)-.*'}`:                                       "[]",
		`{kind: Pod, name: Nothing}`:                                                  "[]",
		`{kind: StatefulSet, name: agent-coder}`:                                      "[{coder }]",
		`{kind: 'StatefulSet|Service', name: agent-code.*}`:                           "[{code }]",
		`{kind: PersistentVolumeClaim, name: workspace-agent-coder-0}`:                "[{coder }]",
		`{kind: Pod, labelSelector: "runkora.io/agent-slug=coder"}`:                   "[{coder }]",
		`{kind: Pod, labelSelector: "runkora.io/agent-slug in (writer,coder,UPPER)"}`: "[{coder } {writer }]",
		`{kind: Pod, labelSelector: "runkora.io/agent-slug!=coder"}`:                  "[]",
		`{kind: Pod, labelSelector: "app.kubernetes.io/instance=agent-coder"}`:        "[{coder }]",
		`{labelSelector: "runkora.io/agent-type=1f-2", kind: Pod}`:                    "[{ 1f-2}]",
	} {
		text := fmt.Sprintf("target: %s\npatch: |\n  - {op: remove, path: /spec/activeDeadlineSeconds}\n", target)
		docs, found := source.Parse(source.NewFile("a.yaml", text), source.DefaultLimits)
		if len(docs) != 1 {
			t.Fatal(found)
		}
		set, _ := Compile([]Entry{{"a", docs[0]}})
		if got := fmt.Sprint(set.Named()); got != want {
			t.Errorf("%s names %s, want %s", target, got, want)
		}
	}
}

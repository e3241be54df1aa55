package patches

import (
	"fmt"
	"testing"

	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/agents"
	"k8s.io/apimachinery/pkg/labels"
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
		names := []Named{}
		for _, v := range set.Variants() {
			names = append(names, v.Named)
		}
		if got := fmt.Sprint(names); got != want {
			t.Errorf("%s names %s, want %s", target, got, want)
		}
	}
}

// R15: a variant holds the patches of its own and those that name none, and all of them
// together no more than may be tried.
func TestVariantsAreBounded(t *testing.T) {
	of := func(named, others int) (set *Set) {
		set = &Set{}
		for n := range named + others {
			target := &target{name: &expression{any: true}, labels: labels.Everything()}
			if n < named {
				target.labels = labels.SelectorFromSet(labels.Set{agents.LabelAgentSlug: fmt.Sprint("t", n)})
			}
			set.patches = append(set.patches, &patch{target: target})
		}
		return set
	}
	for _, c := range []struct{ named, others, variants, each int }{{1000, 0, 1000, 1}, {10, 5, 10, 6}, {100, 900, 11, 901}, {0, 5, 0, 0}} {
		got := of(c.named, c.others).Variants()
		if len(got) != c.variants {
			t.Errorf("%+v: %d variants", c, len(got))
		}
		for _, v := range got {
			if len(v.Set.patches) != c.each {
				t.Errorf("%+v: %s holds %d patches", c, v.Slug, len(v.Set.patches))
			}
		}
	}
}

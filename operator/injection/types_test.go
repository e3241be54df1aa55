package injection

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/rules"
)

// provisioned is a cache of StatefulSets.
type provisioned struct {
	client.Reader
	sets []appsv1.StatefulSet
}

func (p provisioned) List(_ context.Context, into client.ObjectList, _ ...client.ListOption) error {
	into.(*appsv1.StatefulSetList).Items = p.sets
	return nil
}

// R11, R54: the agent that had a type first has it, whoever claims it later, in whatever
// order they are listed; what is no agent's name claims nothing.
func TestATypeIsTheOldestAgents(t *testing.T) {
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	set := func(slug, kind string, age int) appsv1.StatefulSet {
		return appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: agents.ObjectName(slug), CreationTimestamp: metav1.NewTime(began.Add(-time.Duration(age) * time.Hour)),
			Labels: map[string]string{agents.LabelAgentSlug: slug, agents.LabelAgentType: kind}}}
	}
	other := set("evil", "type-7", 9)
	other.Name = "something"
	for _, c := range []struct {
		name string
		sets []appsv1.StatefulSet
		want string
	}{
		{"alone", []appsv1.StatefulSet{set("coder", "type-7", 1)}, ""},
		{"nobody's yet", nil, ""},
		{"claimed later", []appsv1.StatefulSet{set("coder", "type-7", 2), set("evil", "type-7", 1)}, ""},
		{"no agent's", []appsv1.StatefulSet{other}, ""},
		{"another's first", []appsv1.StatefulSet{set("rich", "type-7", 3), set("coder", "type-7", 2)}, "delete the oldest StatefulSet with this type, if kora-agents did not make it: kubectl -n kora-tenant-"},
		{"another's alone", []appsv1.StatefulSet{set("rich", "type-7", 1)}, "is the type of another agent than coder"},
		{"of the same moment", []appsv1.StatefulSet{set("coder", "type-7", 1), set("bold", "type-7", 1)}, "is the type of another agent than coder"},
		{"another type", []appsv1.StatefulSet{set("coder", "type-8", 1)}, "is not the type of coder; write the one that the StatefulSet agent-coder has in its label runkora.io/agent-type"},
	} {
		for range 2 {
			i := injector()
			i.cached = provisioned{sets: c.sets}
			faults, err := i.otherType(t.Context(), "kora-tenant-"+tenant, sandbox())
			if err != nil || (c.want == "") != (len(faults) == 0) || !strings.Contains(rules.Message(faults), c.want) {
				t.Errorf("%s: %q, %v", c.name, rules.Message(faults), err)
			}
			for _, name := range []string{"rich", "bold", "evil", "type-8", "something"} {
				if strings.Contains(rules.Message(faults), name) {
					t.Errorf("%s: whoever asks is told of %s: %q", c.name, name, rules.Message(faults))
				}
			}
			slices.Reverse(c.sets)
		}
	}
}

package preflight

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/runkora/kora/operator/preflight/facts"
)

// ofClass has sandboxes run by the class gvisor, on a pool of its own that is tainted, as
// clouds have it: node d, which the pod's own node selector does not tell from others.
func ofClass(t *testing.T, classes facts.Part[map[string]*facts.RuntimeClass]) *Outcome {
	t.Helper()
	f, s := goodFacts(t), goodSettings()
	s.Agents[1].Spec = corev1.PodSpec{RuntimeClassName: ptr.To("gvisor")}
	pool := facts.Node{Name: "d", Labels: map[string]string{"runtime": "gvisor"}, Taints: []corev1.Taint{{Key: "runtime", Value: "gvisor", Effect: corev1.TaintEffectNoSchedule}}, Ready: true}
	f.Nodes.Value, f.RuntimeClasses = append(f.Nodes.Value, pool), classes
	for _, o := range Judge(Checks(), f, s) {
		if o.ID == "node-daemons" {
			return &o
		}
	}
	t.Fatal("node-daemons was not judged")
	return nil
}

// R55: where a RuntimeClass places its pods is where the node components have to be: on
// the nodes that it selects and whose taints it tolerates, and on no others.
func TestAClassPlacesItsPods(t *testing.T) {
	gvisor := &facts.RuntimeClass{NodeSelector: map[string]string{"runtime": "gvisor"}, Tolerations: []corev1.Toleration{{Key: "runtime", Operator: corev1.TolerationOpExists}}}
	f, s := goodFacts(t), goodSettings()
	for i := range s.Agents {
		s.Agents[i].Spec.RuntimeClassName = ptr.To("gone")
	}
	f.RuntimeClasses = facts.Known(map[string]*facts.RuntimeClass{"gone": nil})
	for _, o := range Judge(Checks(), f, s) {
		if o.ID == "node-daemons" && (o.State != Failed || len(o.Findings) != 2 || o.Findings[1].Found != "gone") {
			t.Errorf("of both: %+v", o) // and not that no node takes them
		}
	}
	for name, c := range map[string]struct {
		classes facts.Part[map[string]*facts.RuntimeClass]
		state   State
		words   string
	}{
		"its own pool":      {facts.Known(map[string]*facts.RuntimeClass{"gvisor": gvisor}), Failed, "nodes that run agents have no ready pod of spire-agent: d;"},
		"anywhere":          {facts.Known(map[string]*facts.RuntimeClass{"gvisor": {}}), Failed, "nodes that run agents have no ready pod of spire-agent: c;"},
		"not there":         {facts.Known(map[string]*facts.RuntimeClass{"gvisor": nil}), Failed, "the cluster has no such RuntimeClass, and refuses each pod of it: gvisor;"},
		"of another's file": {facts.Known(map[string]*facts.RuntimeClass{"kata": {}}), Unchecked, "the RuntimeClass was not looked at for these values: nothing;"},
		"unread":            {facts.Unknown[map[string]*facts.RuntimeClass]("runtimeclasses is forbidden"), Unchecked, "the RuntimeClasses could not be read"},
	} {
		o := ofClass(t, c.classes)
		first := o.Findings[0]
		if said := first.Message + ": " + first.Found + ";"; o.State != c.state || !strings.Contains(said, c.words) {
			t.Errorf("%s: %s, %q in %+v", name, o.State, said, o.Findings)
		}
	}
}

// R55: a pod whose node selector contradicts its RuntimeClass's is refused by the API server:
// that is told for each label, and is no matter of the nodes.
func TestAClassAgainstItsPod(t *testing.T) {
	f, s := goodFacts(t), goodSettings()
	for i := range s.Agents {
		s.Agents[i].Spec.RuntimeClassName = ptr.To("gvisor")
	}
	f.RuntimeClasses = facts.Known(map[string]*facts.RuntimeClass{"gvisor": {NodeSelector: map[string]string{"tier": "sandbox", "runtime": "gvisor"}}})
	for _, o := range Judge(Checks(), f, s) {
		if o.ID != "node-daemons" {
			continue
		}
		if o.State != Failed || o.Findings[0].Object != "the pod of a session-manager" || o.Findings[0].Found != "tier=session-manager" ||
			o.Findings[0].Expected != "tier=sandbox, as RuntimeClass gvisor has it" || !strings.Contains(o.Findings[0].Fix, "get runtimeclass gvisor") {
			t.Errorf("%+v", o)
		}
	}
}

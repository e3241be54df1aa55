package preflight

import (
	"testing"

	"github.com/runkora/kora/operator/preflight/facts"
)

// R55: what looks like Istio or SPIRE is warned of by the check of the one, with
// a command that shows it and runs nothing else.
func TestStrangersAreToldAsSuch(t *testing.T) {
	f := goodFacts(t)
	f.Strangers = []facts.Stranger{{Of: "istio", Object: "Namespace team"}, {Of: "istio", Object: "Namespace a;touch pwn"}, {Of: "spire", Object: "DaemonSet team/spire-agent"}}
	fixes := map[string]string{}
	for _, o := range Judge(Checks(), f, goodSettings()) {
		if o.State == Warned {
			fixes[o.ID] = o.Findings[0].Fix
		}
	}
	want := map[string]string{"istio-running": "kubectl -n team get pods -o wide -l app=istiod", "spire-trust-domain": "kubectl -n team get daemonset spire-agent -o yaml"}
	for id, fix := range want {
		if fixes[id] != fix {
			t.Errorf("%s: %q, want %q", id, fixes[id], fix)
		}
	}
	if len(fixes) != len(want) {
		t.Errorf("%q", fixes)
	}
}

package preflight

import (
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/preflight/facts"
)

// without is a cluster in which nobody sees SPIRE, for a reason.
func without(why string) func(*facts.Facts) {
	return func(f *facts.Facts) {
		f.Spire.SDS, f.Spire.Class, f.Spire.TrustDomains = facts.Unknown[facts.SDS](why), facts.Unknown[string](why), facts.Unknown[map[string]string](why)
		f.Spire.Manager = facts.Unknown[facts.Manager](why)
		f.DaemonSets.Value = slices.DeleteFunc(f.DaemonSets.Value, func(d facts.DaemonSet) bool { return d.Role == facts.SpireAgent })
	}
}

// changed is the good cluster, less something.
func changed(t *testing.T, change func(*facts.Facts)) *facts.Facts {
	t.Helper()
	f := goodFacts(t)
	change(f)
	return f
}

const unseen = facts.NoSpire + " that would tell the namespace of ConfigMap spire-agent"

// R55: on a cluster without SPIRE everything about it is blocked by what fails for
// that, and nothing is told as merely unread, which another look would mend.
func TestABlankClusterHasNoSpire(t *testing.T) {
	f := changed(t, func(f *facts.Facts) {
		without(unseen)(f)
		f.Definitions = facts.Known(map[string][]string{})
		f.Spire.IDs, f.Spire.CSI = facts.Unknown[[]facts.SpiffeID]("there is no such kind"), facts.Known(false)
	})
	for id, o := range judged(f, goodSettings()) {
		if o.State == Unchecked {
			t.Errorf("%s: %+v", id, o)
		}
		if id == "spire-trust-domain" || id == "spire-sds" || id == "spire-class" {
			if o.State != Skipped || !slices.Equal(o.BlockedBy, []string{"spire-crd"}) || o.Unmet {
				t.Errorf("%s: %+v", id, o)
			}
		}
	}
}

// R55: without the definition alone, what SPIRE's files say is judged all the same, and
// so is a right that is missing; and where the definition could not be read.
func TestSpireIsJudgedWithoutItsDefinition(t *testing.T) {
	for name, definitions := range map[string]facts.Part[map[string][]string]{"none": facts.Known(map[string][]string{}), "unread": facts.Unknown[map[string][]string]("it did not answer")} {
		all := judged(changed(t, func(f *facts.Facts) {
			f.Definitions, f.Spire.SDS.Value.Svid, f.Spire.TrustDomains = definitions, "other", facts.Unknown[map[string]string]("the API server did not answer")
		}), goodSettings())
		if all["spire-sds"].State != Failed || all["spire-trust-domain"].State != Unchecked {
			t.Errorf("%s: %+v", name, all)
		}
	}
}

// R55: what SPIRE's agent is not told has SPIRE's own names, which are those that are wanted.
func TestSpiresOwnNames(t *testing.T) {
	for _, names := range []facts.SDS{{}, {Svid: "default"}, {Bundle: "ROOTCA", AllBundles: "ALL"}} {
		if o := judged(changed(t, func(f *facts.Facts) { f.Spire.SDS.Value = names }), goodSettings())["spire-sds"]; o.State != Passed {
			t.Errorf("%+v: %+v", names, o)
		}
	}
}

// R55: where the definition is there and SPIRE is not seen, no fix only looks again.
func TestSpireThatNobodySees(t *testing.T) {
	for why, want := range map[string]string{unseen: "helm upgrade --install", facts.SpireElsewhere + "team": "kubectl get daemonsets,statefulsets,deployments -A"} {
		for id, o := range judged(changed(t, without(why)), goodSettings()) {
			if o.State == Unchecked && !strings.Contains(o.Findings[0].Fix, want) {
				t.Errorf("%s of %q: %+v", id, why, o)
			}
		}
	}
	f := changed(t, without(unseen))
	f.DaemonSets = goodFacts(t).DaemonSets
	if o := judged(f, goodSettings())["spire-trust-domain"]; o.State != Unchecked || !strings.HasPrefix(o.Findings[0].Fix, "kubectl get ") {
		t.Errorf("a server elsewhere: %+v", o)
	}
}

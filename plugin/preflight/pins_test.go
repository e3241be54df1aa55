package preflight

import (
	"strings"
	"testing"

	"github.com/runkora/kora/generator/releases"
	engine "github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
)

// R55: what a fix installs is what the reference install has.
func TestFixesInstallWhatTheReferenceHas(t *testing.T) {
	f := facts.Nothing("nobody looked")
	f.Revisions, f.Definitions = facts.Known([]facts.Revision{}), facts.Known(map[string][]string{})
	fixes := map[string]string{}
	for _, o := range engine.Judge(engine.Checks(), f, engine.Settings{Namespace: system, TrustDomain: "example.com"}) {
		if len(o.Findings) > 0 {
			fixes[o.ID] = o.Findings[0].Fix
		}
	}
	for id, charts := range map[string][]string{
		"istio-running": {"istio-base base", "istio-cni cni", "istiod istiod"},
		"spire-crd":     {"spire-crds spire-crds", "spire spire"},
	} {
		install := fixes[id]
		if _, where, guarded := strings.Cut(install, "; else "); guarded { // where nothing is there yet
			install = strings.TrimSuffix(where, "; fi")
		}
		lines := strings.Split(install, " && ")
		if len(lines) != len(charts) {
			t.Fatalf("%s: %q", id, fixes[id])
		}
		for i, line := range lines {
			version := releases.IstioVersion
			switch {
			case charts[i] == "spire-crds spire-crds":
				version = releases.SPIRECRDsVersion
			case id == "spire-crd":
				version = releases.SPIREVersion
			}
			if !strings.HasPrefix(line, "helm upgrade --install "+charts[i]+" ") || !strings.Contains(line, " --version "+version+" ") {
				t.Errorf("%q, want %s %s", line, charts[i], version)
			}
		}
	}
}

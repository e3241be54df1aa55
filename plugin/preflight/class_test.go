package preflight

import (
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/testcluster/mesh"
	engine "github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
)

// R55: a RuntimeClass that a patch names is looked for on the real control plane and
// places the sandbox's pods; what a file holds of it is judged as the cluster is, and one
// of other values is no answer.
func TestClusterPlacesByTheRuntimeClass(t *testing.T) {
	c := platform(t)
	named := planned(t, "gateway.tls.enabled=false", `agents.manifestPatches={"50-runtime":{"target":{"kind":"Pod"},"patch":"[{op: add, path: /spec/runtimeClassName, value: placing}]"}}`)
	judged := func(f *facts.Facts) engine.Outcome {
		all := engine.Judge(engine.Checks(), f, named.Settings)
		return all[slices.IndexFunc(all, func(o engine.Outcome) bool { return o.ID == "node-daemons" })]
	}
	kept := func(p *Plan) *facts.Facts {
		f, err := p.look(t.Context(), c.Config())
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if _, err := WriteBundle(dir, f, false); err != nil {
			t.Fatal(err)
		}
		if f, err = ReadBundle(dir); err != nil {
			t.Fatal(err)
		}
		return f
	}
	class := func(more string) {
		t.Helper()
		mesh.Kubectl(t, c, "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: { name: placing }\nhandler: runc\n"+more, "apply", "-f", "-")
	}
	is := func(f *facts.Facts, want engine.State, words string) {
		t.Helper()
		if o := judged(f); o.State != want || want != engine.Passed && !strings.Contains(o.Findings[0].Message, words) {
			t.Errorf("%s, want %s: %+v", o.State, want, o.Findings)
		}
	}
	is(kept(named), engine.Failed, "the cluster has no such RuntimeClass")
	class("")
	defer mesh.Kubectl(t, c, "", "delete", "runtimeclass", "placing")
	is(kept(named), engine.Passed, "")
	class("scheduling: { nodeSelector: { no-node: has-this } }\n")
	f := kept(named)
	if got := f.RuntimeClasses.Value["placing"]; got == nil || got.NodeSelector["no-node"] != "has-this" {
		t.Errorf("%+v", f.RuntimeClasses)
	}
	is(kept(planned(t, "gateway.tls.enabled=false")), engine.Unchecked, "could not be read")
}

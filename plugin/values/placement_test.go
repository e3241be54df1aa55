package values

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

// R9: a split is told at the setting that decides the placement.
func TestPlacementIsTheSettingThatDecides(t *testing.T) {
	const affinity = "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}}"
	const at = ".affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"
	for _, c := range []struct{ text, flag, want string }{
		{"agents: {workloads: {sandbox: {nodeSelector: {a: b}}, common: {nodeSelector: {a: b}}}}", "", "0.yaml:1:32 agents.workloads.sandbox.nodeSelector"},
		{"agents: {workloads: {sandbox: {" + affinity + "}}}", "", "0.yaml:1:58 agents.workloads.sandbox" + at},
		{"agents: {workloads: {sandbox: {nodeSelector: {}}, sessionManager: {nodeSelector: {a: b}}}}", "", "0.yaml:1:68 agents.workloads.sessionManager.nodeSelector"},
		{"agents: {workloads: {sandbox: {affinity: {podAffinity: {}}}, common: {nodeSelector: {a: b}}}}", "", "0.yaml:1:71 agents.workloads.common.nodeSelector"},
		{"agents: {workspace: {accessModes: [ReadWriteOnce]}}", "", "0.yaml:1:22 agents.workspace.accessModes"},
		{"agents: {workloads: {}}", "", ".:0:0 agents.workspace.accessModes"},
		{"{}", "--set agents.workloads.sandbox.nodeSelector.a=b", "--set agents.workloads.sandbox.nodeSelector.a=b:0:0 agents.workloads.sandbox.nodeSelector"},
		{"agents: {workspace: {accessModes: [ReadWriteMany]}}", "--set agents.workspace.accessModes={ReadWriteOnce}", "--set agents.workspace.accessModes={ReadWriteOnce}:0:0 agents.workspace.accessModes"},
	} {
		var flags []string
		if c.flag != "" {
			flags = []string{c.flag}
		}
		pos, path := mustLoad(t, []string{c.text}, flags...).Placement()
		f := pos.Fault(faults.SplitPlacement, "")
		if got := fmt.Sprintf("%s:%d:%d %s", filepath.Base(f.File), f.Line, f.Column, path); got != c.want {
			t.Errorf("%s %s\ngot  %s\nwant %s", c.text, c.flag, got, c.want)
		}
	}
}

// R12, R16: a null that takes out no patch is a warning at its place; one that
// takes one out is Helm's way to do that.
func TestANullThatRemovesNoPatchIsAWarning(t *testing.T) {
	const one, null = "agents: {manifestPatches: {50-a: {target: {kind: Pod}, patch: x}}}", "agents: {manifestPatches: {50-a: null}}"
	for name, c := range map[string]struct {
		texts, flags []string
		want         string
	}{
		"removes":                 {texts: []string{one, null}},
		"alone":                   {texts: []string{null}, want: "KORA-P202 0.yaml:1:28 agents.manifestPatches.50-a"},
		"before":                  {texts: []string{null, one}, want: "KORA-P202 0.yaml:1:28 agents.manifestPatches.50-a"},
		"twice":                   {texts: []string{one, null, null}, want: "KORA-P202 2.yaml:1:28 agents.manifestPatches.50-a"},
		"empty":                   {texts: []string{"agents:\n  manifestPatches:\n    50-a:\n"}, want: "KORA-P202 0.yaml:3:5 agents.manifestPatches.50-a"},
		"flag removes":            {texts: []string{one}, flags: []string{"--set agents.manifestPatches.50-a=null"}},
		"flag removes nothing":    {texts: []string{one}, flags: []string{"--set agents.manifestPatches.50-b=null"}, want: "KORA-P202 --set agents.manifestPatches.50-b=null:0:0 agents.manifestPatches.50-b"},
		"no patches at all":       {texts: []string{"agents: {manifestPatches: null, workspace: {size: null}}"}},
		"JSON flag removes":       {texts: []string{one}, flags: []string{`--set-json agents.manifestPatches={"50-a":null}`}},
		"JSON flag, nothing":      {flags: []string{`--set-json agents.manifestPatches={"50-a":null}`}, want: `KORA-P202 --set-json agents.manifestPatches={"50-a":null}:0:0 agents.manifestPatches.50-a`},
		"a null within a patch":   {texts: []string{"agents: {manifestPatches: {50-a: {target: {kind: Pod}, patch: x, options: null}}}"}},
		"a setting that is empty": {texts: []string{"agents: {workloads: {common: {nodeSelector: null}}}"}},
	} {
		_, found := load(t, c.texts, c.flags...)
		if got := show(found); got != c.want || found.Refused() {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

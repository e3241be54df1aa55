package release_test

import (
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/release"
)

// R16: a patch that can match an object of no agent type is warned of, at its
// target, whichever part of that is wrong; one that some agent type may have is not.
func TestPatchesForNobodyAreWarnedOf(t *testing.T) {
	for target, warned := range map[string]bool{
		"{ kind: StatefulSet, name: coder }":                                             true,
		"{ kind: StatefulSet, name: agent_coder }":                                       true,
		"{ kind: StatefulSet, labelSelector: team=a }":                                   true,
		"{ kind: StatefulSet, labelSelector: runkora.io/component=sandbox }":             true,
		"{ kind: StatefulSet, labelSelector: '!runkora.io/agent-type' }":                 true,
		"{ kind: StatefulSet, annotationSelector: a=b }":                                 true,
		"{ kind: StatefulSet, version: v1beta1 }":                                        true,
		"{ kind: StatefulSet, namespace: Kora }":                                         true,
		"{ kind: StatefulSet }":                                                          false,
		"{ kind: StatefulSet, name: agent-coder }":                                       false,
		"{ kind: StatefulSet, name: agent-(coder|tester), namespace: kora-tenant-acme }": false,
		"{ kind: StatefulSet, labelSelector: runkora.io/agent-type=7f3c }":               false,
	} {
		in := inputOf("releases/kora")
		in.Files = append(in.Files, valuesOf(t, "agents:\n  manifestPatches:\n    50-a:\n      target: "+target+"\n      patch: |\n        - { op: add, path: /metadata/labels/team, value: a }\n").Files...)
		out := release.Render(t.Context(), release.Request{Values: in})
		var found []string
		for _, f := range out.Found {
			found = append(found, string(f.Code)+" "+f.Message)
			if f.Code != faults.MatchesNothing || f.Line != 4 || !strings.HasSuffix(f.File, "0.yaml") || f.Key != "agents.manifestPatches.50-a" {
				t.Errorf("%s: %+v", target, f)
			}
		}
		if (len(found) > 0) != warned || out.Found.Refused() || warned && found[0] != "KORA-P201 the patch 50-a matches no object of any agent type" {
			t.Errorf("%s: %q", target, found)
		}
	}
}

package values

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const given = `agents:
  manifestPatches: {50-a: {patch: x}}
  replicas: 2
  workloads:
    common:
      nodeSelector: {pool: a}
      podLabels: {'x.y/z': b, 'q[0]="': c}
      affinity: {}
    sandbox:
      tolerations: [{key: a}]
  workspace: {size: 1Gi}
  environments: {defaultSize: {cpu: 1}, maxSize: {cpu: 3}}
global: {trustDomain: t, imageTag: '2', observability: {samplingRate: 1, collectorNamespace: n}}
sandboxMount: {enabled: true, port: 1}
`

// R16: the settings that objects depend on, each with its place, without those
// of the chart and without patches.
func TestLeavesAreWhatObjectsDependOn(t *testing.T) {
	var got []string
	for _, l := range mustLoad(t, []string{given}).Leaves() {
		got = append(got, fmt.Sprintf("%s %d", l.Path, l.Node.Pos.Line))
	}
	want := []string{
		"agents.workloads.common.nodeSelector.pool 6",
		`agents.workloads.common.podLabels["x.y/z"] 7`,
		`agents.workloads.common.podLabels["q[0]=\""] 7`,
		"agents.workloads.sandbox.tolerations 10",
		"agents.workspace.size 11",
		"agents.environments.defaultSize.cpu 12",
		"global.imageTag 13",
		"global.observability.samplingRate 13",
		"sandboxMount.enabled 14",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// R16: a tree without one setting holds every other, and the tree itself is not
// changed.
func TestWithoutTakesOneSettingAway(t *testing.T) {
	tree := mustLoad(t, []string{given})
	before := tree.Root().Any()
	for _, l := range tree.Leaves() {
		var got, want []string
		for _, other := range tree.Without(l).Leaves() {
			got = append(got, string(other.Path))
		}
		for _, other := range tree.Leaves() {
			if other.Path != l.Path {
				want = append(want, string(other.Path))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("without %s: %s", l.Path, diff)
		}
		if tree.Without(l).Patches() == nil {
			t.Error("the patches are gone")
		}
	}
	if diff := cmp.Diff(before, tree.Root().Any()); diff != "" {
		t.Error(diff)
	}
	if none := tree.Without(Leaf{Path: "agents.workloads.none.x"}); !cmp.Equal(none.Root().Any(), before) {
		t.Error("a setting that is not there was removed")
	}
}

// R12: patches are handed over as they stand.
func TestPatches(t *testing.T) {
	if mustLoad(t, nil).Patches() != nil {
		t.Error("patches of nothing")
	}
	n := mustLoad(t, []string{given}).Patches()
	if len(n.Fields) != 1 || n.Fields[0].Key.Pos.Line != 2 || !strings.HasSuffix(n.Pos.File.Name, "0.yaml") {
		t.Errorf("%+v", n)
	}
}

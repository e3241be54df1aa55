package values

import (
	"testing"

	"github.com/runkora/kora/internal/fields"
)

// R23: what configOverrides set of the module of agent types stands in the values'
// places, merged as the chart merges it, with its own place and path.
func TestOverridesStandInTheValuesPlaces(t *testing.T) {
	tree := mustLoad(t, []string{`agents:
  workloads: { common: { nodeSelector: { disk: ssd }, tolerations: [{ key: a }] } }
  workspace: { accessModes: [ReadWriteMany], size: 20Gi }
  configOverrides:
    internal/agents:
      workloads: { common: { nodeSelector: { arch: arm64 }, tolerations: [{ key: b }, { key: c }] } }
      workspace: { size: 77Gi }
      images: { sessionManager: example.com/sm:9 }
      imagePullSecrets: [mine]
`}).Overridden()
	settings, found := tree.Settings("1.4.0", Agent{Slug: "coder", Namespace: "tenant-example"})
	if len(found) > 0 {
		t.Fatal(found)
	}
	if got := settings.Workspace.Size.String(); got != "77Gi" || settings.Workspace.AccessModes[0] != "ReadWriteMany" {
		t.Errorf("the workspace: %+v", settings.Workspace)
	}
	manager := settings.SessionManager
	if len(manager.NodeSelector) != 2 || len(manager.Tolerations) != 2 || manager.Tolerations[0].Key != "b" {
		t.Errorf("the session-manager: %+v", manager)
	}
	if settings.Images.SessionManager != "example.com/sm:9" || len(settings.PullSecrets) != 1 || settings.PullSecrets[0] != "mine" {
		t.Errorf("%+v, %v", settings.Images, settings.PullSecrets)
	}
	const there = `agents.configOverrides["internal/agents"].`
	for path, want := range map[fields.Path]fields.Path{
		"agents.workspace.size":                          there + "workspace.size",
		"agents.workspace.accessModes":                   "agents.workspace.accessModes",
		"agents.workloads.common.nodeSelector.arch":      there + "workloads.common.nodeSelector.arch",
		"agents.workloads.common.nodeSelector.disk":      "agents.workloads.common.nodeSelector.disk",
		"agents.workloads.common.tolerations[1].key":     there + "workloads.common.tolerations[1].key",
		"global.imagePullSecrets[0]":                     there + "imagePullSecrets[0]",
		"agents.environments.defaultSize.cpu":            "agents.environments.defaultSize.cpu",
		`agents.workloads.common.podLabels["a.b/c"]`:     `agents.workloads.common.podLabels["a.b/c"]`,
		"agents.workloads.sandbox.affinity.nodeAffinity": "agents.workloads.sandbox.affinity.nodeAffinity",
	} {
		if got := tree.Name(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
	if size := tree.Get("agents", "workspace", "size"); size.Pos.Line != 7 {
		t.Errorf("the size is told at line %d", size.Pos.Line)
	}
}

// R9 to R11, R23: what stands there is judged as the value is, at its own place.
func TestOverridesAreJudgedAsTheValues(t *testing.T) {
	for _, text := range []string{
		"agents: {workloads: {common: {podLabels: {runkora.io/x: a}}}}",
		"agents: {environments: {maxSize: {cpu: 1m}}}",
		"agents: {workspace: {accessModes: [Foo]}}",
		"agents: {workloads: {sandbox: {nodeSelektor: {a: b}}}}",
		"agents: {workloads: {common: {tolerations: [{operator: Foo}]}}}",
		"agents: {workloads: {sandbox: {priorityClassName: 'A B'}}}",
		"agents: {environments: {defaultSize: {memory: 1Gi, disk: '1 Gi'}}}",
		"agents: {workspace: {size: ten, storageClassName: 'a b'}}",
		"agents: {workloads: {common: {affinity: {nodeAffinity: {a: [1]}}}}}",
	} {
		plain := mustLoad(t, []string{text}).Check()
		inside := text[len("agents: "):]
		over := mustLoad(t, []string{"agents: {configOverrides: {internal/agents: " + inside + "}}"}).Check()
		if len(plain) == 0 || len(plain) != len(over) {
			t.Errorf("%s:\n%s\nas a setting\n%s", text, show(plain), show(over))
			continue
		}
		for i, f := range over.Sorted() {
			value := plain.Sorted()[i]
			if f.Code != value.Code || f.Message != value.Message || f.Field != `agents.configOverrides["internal/agents"]`+value.Field[len("agents"):] || f.Line != 1 {
				t.Errorf("%s: as a value\n%+v\nas a setting\n%+v", text, value, f)
			}
		}
	}
}

package render

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runkora/kora"
	"github.com/runkora/kora/plugin/values"
)

// explain previews the agent type under a values file and patches, and gives
// each field's steps as "by name: from -> to".
func explain(t *testing.T, valuesText string, patchTexts map[string]string) map[string][]string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(t.TempDir(), "v.yaml")
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(file, valuesText)
	for key, text := range patchTexts {
		write(filepath.Join(dir, key+".yaml"), text)
	}
	p := Agent(Request{Agent: testAgent, Values: values.Input{Files: []string{file}}, PatchDir: dir, Version: kora.Version()})
	if p.Found.Refused() {
		t.Fatal(p.Found)
	}
	e, err := p.Explain()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, f := range e.Fields {
		name := f.Object + ": " + f.Field
		out[name] = []string{}
		last := f.Default
		for _, s := range f.Steps {
			out[name] = append(out[name], s.By+" "+s.Name+": "+s.From+" -> "+s.To)
			if s.From != last {
				t.Errorf("%s: step from %s, but it was %s", name, s.From, last)
			}
			last = s.To
		}
		if last != f.Value {
			t.Errorf("%s: the steps end at %s, the field is %s", name, last, f.Value)
		}
	}
	return out
}

// R16: every field that differs has the steps that made it so, from the
// default to the value, without a gap.
func TestExplainTellsEachStep(t *testing.T) {
	const pod, set, claim = "Pod sandbox-coder-sample: ", "StatefulSet agent-coder: ", "PersistentVolumeClaim workspace-agent-coder-0: "
	for name, c := range map[string]struct {
		values  string
		patches map[string]string
		want    map[string][]string
	}{
		"one setting in two blocks": {
			values: "agents: {workloads: {common: {nodeSelector: {p: a}}, sandbox: {nodeSelector: {p: a}}}}",
			want: map[string][]string{
				pod + "spec.nodeSelector.p":               {"setting agents.workloads.common.nodeSelector.p: (none) -> a"},
				set + "spec.template.spec.nodeSelector.p": {"setting agents.workloads.common.nodeSelector.p: (none) -> a"},
			},
		},
		"a block wins over common": {
			values: "agents: {workloads: {common: {priorityClassName: low}, sandbox: {priorityClassName: high}}}",
			want: map[string][]string{
				pod + "spec.priorityClassName":               {"setting agents.workloads.common.priorityClassName: (none) -> low", "setting agents.workloads.sandbox.priorityClassName: low -> high"},
				set + "spec.template.spec.priorityClassName": {"setting agents.workloads.common.priorityClassName: (none) -> low"},
			},
		},
		"setting, then patches, and the template by the claim": {
			values: "agents: {workspace: {size: 5Gi}}",
			patches: map[string]string{
				"10-a": "target: {kind: PersistentVolumeClaim}\npatch: |-\n  - {op: replace, path: /spec/resources/requests/storage, value: 6Gi}\n",
				"20-b": "target: {kind: PersistentVolumeClaim}\npatch: |-\n  - {op: replace, path: /spec/resources/requests/storage, value: 7Gi}\n",
			},
			want: map[string][]string{
				claim + "spec.resources.requests.storage":                            {"setting agents.workspace.size: 10Gi -> 5Gi", "patch 10-a: 5Gi -> 6Gi", "patch 20-b: 6Gi -> 7Gi"},
				set + "spec.volumeClaimTemplates[0].spec.resources.requests.storage": {"setting agents.workspace.size: 10Gi -> 5Gi", "patch 10-a: 5Gi -> 6Gi", "patch 20-b: 6Gi -> 7Gi"},
			},
		},
		"a list that merges by no key is one field": {
			values: "agents: {workloads: {common: {tolerations: [{key: a, operator: Exists}]}, sandbox: {tolerations: [{key: s, operator: Exists}]}}}",
			patches: map[string]string{
				"10-a": "target: {kind: StatefulSet}\npatch: |-\n  - {op: replace, path: /spec/template/spec/tolerations/0/key, value: b}\n",
				"20-b": "target: {kind: StatefulSet}\npatch: |-\n  - {op: add, path: /spec/template/spec/tolerations/-, value: {key: c, operator: Exists}}\n",
			},
			want: map[string][]string{
				pod + "spec.tolerations": {
					`setting agents.workloads.common.tolerations: (none) -> [{"key":"a","operator":"Exists"}]`,
					`setting agents.workloads.sandbox.tolerations: [{"key":"a","operator":"Exists"}] -> [{"key":"s","operator":"Exists"}]`,
				},
				set + "spec.template.spec.tolerations": {
					`setting agents.workloads.common.tolerations: (none) -> [{"key":"a","operator":"Exists"}]`,
					`patch 10-a: [{"key":"a","operator":"Exists"}] -> [{"key":"b","operator":"Exists"}]`,
					`patch 20-b: [{"key":"b","operator":"Exists"}] -> [{"key":"b","operator":"Exists"},{"key":"c","operator":"Exists"}]`,
				},
			},
		},
		"a port that is not told where to go": {
			values:  "{}",
			patches: map[string]string{"10-port": "target: {kind: Service}\npatch: |-\n  - {op: add, path: /spec/ports/-, value: {name: extra, port: 9000}}\n"},
			want: map[string][]string{
				"Service agent-coder: spec.ports[port=9000].name": {"patch 10-port: (none) -> extra"},
				"Service agent-coder: spec.ports[port=9000].port": {"patch 10-port: (none) -> 9000"},
			},
		},
		"the pin goes with the claim's access modes": {
			values:  "{}",
			patches: map[string]string{"10-shared": "target: {kind: PersistentVolumeClaim}\npatch: |-\n  - {op: replace, path: /spec/accessModes, value: [ReadWriteMany]}\n"},
			want: map[string][]string{
				claim + "spec.accessModes":                            {`patch 10-shared: ["ReadWriteOnce"] -> ["ReadWriteMany"]`},
				set + "spec.volumeClaimTemplates[0].spec.accessModes": {`patch 10-shared: ["ReadWriteOnce"] -> ["ReadWriteMany"]`},
				pod + "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution": {
					`patch 10-shared: [{"labelSelector":{"matchLabels":{"statefulset.kubernetes.io/pod-name":"agent-coder-0"}},"topologyKey":"kubernetes.io/hostname"}] -> (none)`},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, explain(t, c.values, c.patches)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

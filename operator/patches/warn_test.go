package patches

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

const nodePool = `target:
  kind: StatefulSet
patch: |
  kind: StatefulSet
  metadata:
    name: any
  spec:
    template:
      spec:
        nodeSelector:
          disktype: %s
        priorityClassName: agents
`

// told is each fault as code, place and field, in one line.
func told(found faults.List) string {
	var out []string
	for _, f := range found.Sorted() {
		out = append(out, fmt.Sprintf("%s %s:%d:%d %s", f.Code, f.File, f.Line, f.Column, f.Field))
	}
	return strings.Join(out, "\n")
}

// R16: what most likely was not meant is a warning, at its exact place.
func TestWarningsPointAtWhatDoesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		patches []string
		want    string
	}{
		"matches nothing, by name": {
			[]string{"target: {kind: Service, name: agent-other}\npatch: |\n  - {op: add, path: /metadata/labels/team, value: a}\n"},
			"KORA-P201 1.yaml:1:9 ",
		},
		"matches nothing, by label": {
			[]string{"patch: |\n  - {op: add, path: /metadata/labels/team, value: a}\ntarget:\n  kind: Service\n  labelSelector: runkora.io/agent-type=other\n"},
			"KORA-P201 1.yaml:4:3 ",
		},
		"changes nothing, merge": {
			[]string{"target: {kind: Service}\npatch: |\n  kind: Service\n  metadata: {name: any}\n  spec: {type: ClusterIP}\n"},
			"KORA-P202 1.yaml:2:8 ",
		},
		"changes nothing, test": {
			[]string{"target: {kind: Service}\npatch: |\n  - {op: test, path: /spec/type, value: ClusterIP}\n"},
			"KORA-P202 1.yaml:2:8 ",
		},
		"changes nothing, null": {
			[]string{"target: {kind: Service}\npatch: |\n  kind: Service\n  metadata: {name: any, annotations: null}\n"},
			"KORA-P202 1.yaml:2:8 ",
		},
		"changes nothing, quantity": {
			[]string{"target: {kind: PersistentVolumeClaim}\npatch: |\n  kind: any\n  metadata: {name: any}\n  spec: {resources: {requests: {storage: 10240Mi}}}\n"},
			"KORA-P202 1.yaml:2:8 ",
		},
		"overwritten": {
			[]string{fmt.Sprintf(nodePool, "ssd"), strings.Replace(fmt.Sprintf(nodePool, "nvme"), "        priorityClassName: agents\n", "", 1)},
			"KORA-P203 1.yaml:11:11 spec.template.spec.nodeSelector.disktype",
		},
		"overwritten by an operation": {
			[]string{fmt.Sprintf(nodePool, "ssd"), "target: {kind: StatefulSet}\npatch: |\n  - {op: replace, path: /spec/template/spec/priorityClassName, value: low}\n"},
			"KORA-P203 1.yaml:12:9 spec.template.spec.priorityClassName",
		},
		"the same again": {
			[]string{fmt.Sprintf(nodePool, "ssd"), fmt.Sprintf(nodePool, "ssd")},
			"KORA-P202 2.yaml:3:8 ",
		},
		"one of two kinds": {
			[]string{"target: {kind: Pod|Service}\npatch: |\n  - {op: add, path: /metadata/labels/team, value: a}\n", "target: {kind: Service}\npatch: |\n  - {op: add, path: /metadata/labels/team, value: a}\n"},
			"KORA-P202 2.yaml:2:8 ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var entries []Entry
			for i, text := range c.patches {
				entries = append(entries, entry(t, fmt.Sprint(i+1), text))
			}
			_, found := render(t, entries...)
			if got := told(found); got != c.want || found.Refused() || !found.Strict().Refused() {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// R16: a warning of values names the values key.
func TestWarningsNameTheValuesKey(t *testing.T) {
	entries, _ := fromValues(t, "agents:\n  manifestPatches:\n    50-a:\n      target: {kind: Service, name: other}\n      patch: |\n        - {op: remove, path: /spec/type}\n    60-b:\n      target: {kind: Service}\n      patch: |\n        - {op: test, path: /spec/type, value: ClusterIP}\n")
	_, found := render(t, entries...)
	if len(found) != 3 {
		t.Fatalf("%v", found)
	}
	for _, f := range found {
		if want := map[faults.Code]string{faults.ChangesNothing: "60-b"}[f.Code]; !strings.HasSuffix(f.Key, want) || f.Key == "" {
			t.Errorf("%+v", f)
		}
	}
}

// R14, R16: what a patch may not do elsewhere it may not do here, though it
// matches nothing.
func TestPatchForAnotherAgentTypeIsRefusedAllTheSame(t *testing.T) {
	for _, patch := range []string{
		"  kind: StatefulSet\n  metadata: {name: any}\n  spec: {template: {spec: {hostNetwork: true}}}\n",
		"  - {op: remove, path: /spec/serviceName}\n",
		"  kind: StatefulSet\n  metadata: {name: any}\n  $patch: delete\n",
	} {
		_, found := render(t, entry(t, "1", "target: {kind: StatefulSet, labelSelector: runkora.io/agent-type=other}\npatch: |\n"+patch))
		if !found.Refused() {
			t.Errorf("%s: %v", patch, found)
		}
	}
}

// R15: one run tells every fault of every patch, sorted, whatever stage finds it.
func TestAllFaultsOfManyPatchesAreToldAtOnce(t *testing.T) {
	entries := []Entry{
		entry(t, "30-c", "target: {kind: Pod}\npatch: |\n  - {op: remove, path: /spec/securityContext/runAsUser}\n  - {op: add, path: /spec/hostPID, value: true}\n"),
		entry(t, "10-a", "target: {kind: Pod}\npatch: |\n  - {op: add, path: /spec/hostNetwork, value: true}\n"),
		entry(t, "20-b", "target: {kind: Pod}\npatch: |\n  - {op: remove, path: /spec/priorityClassName}\n"),
		entry(t, "40-d", "target: {kind: Pod}\npatch: |\n  - {op: add, path: /spec/hostIPC, value: true}\n"),
	}
	_, found := render(t, entries...)
	want := strings.Join([]string{
		"KORA-P101 10-a.yaml:3:21 spec.hostNetwork", "KORA-P102 10-a.yaml:3:21 spec",
		"KORA-P008 20-b.yaml:3:24 /spec/priorityClassName",
		"KORA-P101 30-c.yaml:3:24 spec.securityContext.runAsUser",
		"KORA-P101 30-c.yaml:4:21 spec.hostPID",
		"KORA-P101 40-d.yaml:3:21 spec.hostIPC",
	}, "\n")
	got := told(found)
	for line := range strings.SplitSeq(want, "\n") {
		if !strings.Contains(got, line) && !strings.Contains(line, "P102") {
			t.Errorf("%s is missing in\n%s", line, got)
		}
	}
}

// R15: the stage before is told whole too: each wrong entry, each wrong field.
func TestAllFaultsOfManyEntriesAreToldAtOnce(t *testing.T) {
	_, found := Compile([]Entry{
		entry(t, "2", "target: {kind: Deployment}\npatch: x\nextra: 1\n"),
		entry(t, "1", "target: {kind: Pod}\npatch: |\n  kind: Pod\n  metadata: {nam: any}\n  spec: {hostnetwork: true, containers: [{imag: x, tty: 'yes'}]}\n"),
		entry(t, "3", "target: {kind: Pod}\npatch: |\n  - {op: ad, path: /spec}\n  - {op: remove, path: spec}\n  - {op: remove, path: /sepc}\n"),
	})
	want := `KORA-P007 1.yaml:3:3 metadata.name
KORA-F001 1.yaml:4:14 metadata.nam
KORA-F001 1.yaml:5:10 spec.hostnetwork
KORA-F001 1.yaml:5:43 spec.containers[0].imag
KORA-F002 1.yaml:5:57 spec.containers[0].tty
KORA-P002 2.yaml:1:16 target.kind
KORA-P007 2.yaml:2:8 
KORA-F001 2.yaml:3:1 extra
KORA-P007 3.yaml:3:5 op
KORA-P007 3.yaml:4:24 path
KORA-F001 3.yaml:5:25 sepc`
	if got := told(found); got != want {
		t.Logf("want\n%s", want)
		t.Errorf("got\n%s", got)
	}
}

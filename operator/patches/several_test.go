package patches

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runkora/kora/internal/faults"
)

// R15: one fault of a patch hides no other, of the same patch or of another,
// and none is told twice or as a consequence of another.
func TestOneFaultHidesNoOther(t *testing.T) {
	const pod = "apiVersion: v1\n  kind: Pod\n  metadata: {name: any}\n  spec:\n"
	for name, c := range map[string]struct {
		patches []string
		want    []string
	}{
		"operations: unknown field, wrong type, protected": {
			patches: []string{"target: {kind: StatefulSet}\npatch: |\n" +
				"  - {op: remove, path: /spec/template/spec/securityContext/runAsUser}\n" +
				"  - {op: add, path: /spec/template/spec/bogus, value: 1}\n" +
				"  - {op: add, path: /spec/replicas, value: three}\n" +
				"  - {op: add, path: /spec/template/spec/hostIPC, value: true}\n"},
			want: []string{
				"a.yaml:3:24 KORA-P101 spec.template.spec.securityContext.runAsUser",
				"a.yaml:4:41 KORA-F001 spec.template.spec.bogus",
				"a.yaml:5:44 KORA-F002 spec.replicas",
				"a.yaml:6:21 KORA-P101 spec.template.spec.hostIPC",
			},
		},
		"merge: unknown field, wrong type, protected": {
			patches: []string{"target: {kind: Pod}\npatch: |\n  " + pod + "    hostNam: x\n    hostname: 5\n    hostNetwork: true\n"},
			want: []string{
				"a.yaml:7:5 KORA-F001 spec.hostNam",
				"a.yaml:8:15 KORA-F002 spec.hostname",
				"a.yaml:9:5 KORA-P101 spec.hostNetwork",
			},
		},
		"a later patch's typo, an earlier one's container": {
			patches: []string{
				"target: {kind: Pod}\npatch: |\n  " + pod + "    hostPID: true\n",
				"target: {kind: Pod}\npatch: |\n  - {op: add, path: /spec/bogus, value: 1}\n",
			},
			want: []string{"a.yaml:7:5 KORA-P101 spec.hostPID", "b.yaml:3:27 KORA-F001 spec.bogus"},
		},
		"a misspelt operation, an unknown key, a wrong value": {
			patches: []string{"target: {kind: Pod}\npatch: |\n  - {op: Replace, path: /spec/hostname, value: 5, extra: 1}\n"},
			want: []string{
				"a.yaml:3:5 KORA-P007 op",
				"a.yaml:3:48 KORA-F002 spec.hostname",
				"a.yaml:3:51 KORA-F001 extra",
			},
		},
		"what kustomize drops, and a protected field": {
			patches: []string{"target: {kind: Pod}\npatch: |\n  " + pod + "    containers: [{name: sandbox, $patch: replace, image: mine}]\n    hostNetwork: true\n"},
			want:    []string{"a.yaml:7:34 KORA-P008 spec.containers[name=sandbox].image", "a.yaml:8:5 KORA-P101 spec.hostNetwork"},
		},
		"two operations on what is not there": {
			patches: []string{"target: {kind: Pod}\npatch: |\n  - {op: replace, path: /spec/subdomain, value: a}\n  - {op: remove, path: /spec/hostname}\n"},
			want:    []string{"a.yaml:3:25 KORA-P009 /spec/subdomain", "a.yaml:4:24 KORA-P008 /spec/hostname"},
		},
		"a path is no key of an entry, and told once": {
			patches: []string{"target: {kind: Pod}\npath: a.yaml\npatch: |\n  - {op: add, path: /spec/hostPID, value: true}\n"},
			want:    []string{"a.yaml:2:1 KORA-P004 path", "a.yaml:4:21 KORA-P101 spec.hostPID"},
		},
		"a bad selector, a bad expression, and protected fields": {
			patches: []string{
				"target: {kind: Pod, labelSelector: a in}\npatch: |\n  - {op: add, path: /spec/hostPID, value: true}\n",
				"target: {kind: Pod, annotationSelector: '!'}\npatch: |\n  - {op: add, path: /spec/hostNetwork, value: true}\n",
				"target: {kind: Pod, name: (, group: '['}\npatch: |\n  - {op: add, path: /spec/hostIPC, value: true}\n",
				"target: {kind: (, name: (}\npatch: |\n  - {op: Add, path: /spec/hostIPC, value: true}\n",
			},
			want: []string{
				"a.yaml:1:36 KORA-P003 target.labelSelector", "a.yaml:3:21 KORA-P101 spec.hostPID",
				"b.yaml:1:41 KORA-P003 target.annotationSelector", "b.yaml:3:21 KORA-P101 spec.hostNetwork",
				"c.yaml:1:27 KORA-P003 target.name", "c.yaml:1:37 KORA-P003 target.group", "c.yaml:3:21 KORA-P101 spec.hostIPC",
				"d.yaml:1:16 KORA-P003 target.kind", "d.yaml:1:25 KORA-P003 target.name", "d.yaml:3:5 KORA-P007 op",
			},
		},
		"replace of what is neither there nor allowed": {
			patches: []string{"target: {kind: Pod}\npatch: |\n  - {op: replace, path: /spec/hostNetwork, value: true}\n  - {op: replace, path: /metadata/finalizers, value: [a/b]}\n  - {op: replace, path: /spec/hostname, value: a}\n"},
			want:    []string{"a.yaml:3:25 KORA-P101 spec.hostNetwork", "a.yaml:4:25 KORA-P101 metadata.finalizers", "a.yaml:5:25 KORA-P009 /spec/hostname"},
		},
		"an unknown key of the entry, and a protected field": {
			patches: []string{"target: {kind: Pod}\nfoo: 1\npatch: |\n  - {op: add, path: /spec/hostPID, value: true}\n"},
			want:    []string{"a.yaml:2:1 KORA-F001 foo", "a.yaml:4:21 KORA-P101 spec.hostPID"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var entries []Entry
			for i, text := range c.patches {
				entries = append(entries, entry(t, string(rune('a'+i)), text))
			}
			set, found := Compile(entries)
			_, more := set.Render(settings())
			var got []string
			for _, f := range append(found, more...).Sorted() {
				got = append(got, fmt.Sprintf("%s:%d:%d %s %s", f.File, f.Line, f.Column, f.Code, f.Field))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// longAnnotation is a patch that gives an object, or the pods that it makes, one
// more annotation of a length.
func longAnnotation(t testing.TB, key, kind string, length int) Entry {
	one := fmt.Sprintf("{annotations: {example.com/%s: %s}}", key, strings.Repeat("x", length))
	text, version := "  metadata: {name: any, "+one[1:]+"\n", "v1"
	if kind == "StatefulSet" {
		version, text = "apps/v1", "  metadata: {name: any}\n  spec: {template: {metadata: "+one+"}}\n"
	}
	return entry(t, key, "target: {kind: "+kind+"}\npatch: |\n  apiVersion: "+version+"\n  kind: "+kind+"\n"+text)
}

func longAnnotations(t testing.TB, kind string) (*Result, faults.List) {
	var entries []Entry
	for i, length := range []int{100 << 10, 100 << 10, 60 << 10, 1} {
		entries = append(entries, longAnnotation(t, string(rune('a'+i)), kind, length))
	}
	return render(t, entries...)
}

// R2: annotations that are short each and too long in all are told at the patch
// that passes the bound, of the object and of the pods that it makes.
func TestAnnotationsAreTooLongAtThePatchThatPassesTheBound(t *testing.T) {
	for kind, want := range map[string]string{"Service": "metadata.annotations", "StatefulSet": "spec.template.metadata.annotations"} {
		_, found := longAnnotations(t, kind)
		var got []string
		for _, f := range found {
			got = append(got, f.File+" "+string(f.Code)+" "+f.Field+" "+f.Message)
		}
		if diff := cmp.Diff([]string{"c.yaml KORA-P109 " + want + " the annotations are too long"}, got); diff != "" {
			t.Error(diff)
		}
	}
}

package kustomize

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/agents"
)

var statefulSet = Kind{"apps", "v1", "StatefulSet", fields.Of(appsv1.StatefulSet{})}

func object(t testing.TB) map[string]any {
	s := agents.Defaults("1.4.0")
	s.Slug, s.TypeID, s.Namespace = "coder", "render-coder", "tenant-example"
	out, err := runtime.DefaultUnstructuredConverter.ToUnstructured(agents.Build(s).StatefulSet)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func parse(text string) *source.Node {
	docs, found := source.Parse(source.NewFile("patch", text), source.DefaultLimits)
	if len(found) > 0 || len(docs) != 1 {
		return nil
	}
	return docs[0]
}

const head = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: any}\n"

// merges cover each way a list or a map can be named, replaced and emptied.
var merges = []string{
	"spec: {template: {spec: {nodeSelector: {disktype: ssd}}}}",
	"spec: {replicas: 3}",
	"spec: {template: {spec: {containers: [{name: session-manager, image: x}]}}}",
	"spec: {template: {spec: {containers: [{name: session-manager, env: [{name: A, value: '1'}, {name: HOME, value: /x}]}]}}}",
	"spec: {template: {spec: {containers: [{name: other, image: x}, {name: session-manager, $patch: delete}]}}}",
	"spec: {template: {spec: {containers: [{image: nameless}]}}}",
	"spec: {template: {spec: {containers: [{$patch: replace}, {name: n, image: x}]}}}",
	"spec: {template: {spec: {containers: [{name: session-manager, ports: [{containerPort: 8080, name: web}]}]}}}",
	"spec: {template: {spec: {containers: [{name: session-manager, ports: [{containerPort: 8080, protocol: UDP}]}]}}}",
	"spec: {template: {spec: {containers: [{name: session-manager, volumeMounts: [{mountPath: /tmp, name: scratch}]}]}}}",
	"spec: {template: {spec: {volumes: [{name: tmp, emptyDir: null, configMap: {name: c}}]}}}",
	"spec: {template: {spec: {volumes: null}}}",
	"spec: {template: {spec: {securityContext: {$patch: replace, runAsUser: 1}}}}",
	"spec: {template: {spec: {securityContext: {$patch: delete}}}}",
	"spec: {template: {spec: {tolerations: [{key: a, operator: Exists}]}}}",
	"spec: {template: {spec: {topologySpreadConstraints: [{topologyKey: zone, maxSkew: 1, whenUnsatisfiable: DoNotSchedule}]}}}",
	"spec: {template: {metadata: {annotations: {a: 'true', b: \"on\"}, finalizers: [x]}}}",
	"spec: {volumeClaimTemplates: [{metadata: {name: w}}]}",
	"spec: {updateStrategy: {type: OnDelete}}",
	"metadata: {name: new, namespace: other, labels: {a: null, x: y}}",
	"kind: Deployment",
	"$patch: delete",
	"spec: null",
	"spec: {template: {spec: {containers: []}}}",
	"spec: {template: {spec: {containers: {a: b}}}}",
}

// The filters see a part of the object only; what they make of it must be what
// they make of the whole.
func TestMergeOfAPartIsTheMergeOfTheWhole(t *testing.T) {
	Use([]Kind{statefulSet})
	for _, text := range merges {
		t.Run(text, func(t *testing.T) { compareMerge(t, head+text) })
	}
}

func compareMerge(t *testing.T, text string) {
	doc := parse(strings.Replace(text, "kind: StatefulSet\n", kindLine(text), 1))
	if doc == nil || doc.Kind != source.Mapping {
		return
	}
	m := NewMerge(doc)
	before := object(t)
	part, errPart := m.Apply(before, statefulSet.Type)
	whole, errWhole := m.filter(toYAML(object(t)))
	if (errPart == nil) != (errWhole == nil) {
		t.Fatalf("part: %v, whole: %v", errPart, errWhole)
	}
	if diff := cmp.Diff(object(t), before); diff != "" {
		t.Errorf("the object itself changed:\n%s", diff)
	}
	if whole == nil || part == nil {
		if part != nil {
			t.Errorf("the whole is deleted, the part is not")
		}
		return
	}
	want, _ := fromYAML(whole).(map[string]any)
	m.restore(want, before)
	if diff := cmp.Diff(want, part); diff != "" {
		t.Errorf("- whole, + part:\n%s", diff)
	}
}

// kindLine leaves the second kind of a patch that sets its own.
func kindLine(text string) string {
	if strings.Count(text, "kind:") > 1 {
		return ""
	}
	return "kind: StatefulSet\n"
}

func FuzzMergeOfAPart(f *testing.F) {
	Use([]Kind{statefulSet})
	for _, text := range merges {
		f.Add(head + text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 10_000 {
			compareMerge(t, text)
		}
	})
}

var operations = []string{
	`{"op":"add","path":"/spec/replicas","value":3}`,
	`{"op":"add","path":"/spec/minReadySeconds","value":1000000}`,
	`{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"x"}`,
	`{"op":"replace","path":"/spec/template/spec/containers/0/imag","value":"x"}`,
	`{"op":"add","path":"/spec/template/spec/containers/-","value":{"name":"x"}}`,
	`{"op":"add","path":"/spec/template/spec/containers/0","value":{"name":"x"}}`,
	`{"op":"add","path":"/spec/template/spec/containers/0/env/-","value":{"name":"x","value":"on"}}`,
	`{"op":"add","path":"/spec/template/spec/containers/7","value":{"name":"x"}}`,
	`{"op":"remove","path":"/spec/template/spec/containers/0"}`,
	`{"op":"remove","path":"/spec/template/spec/containers/-1"}`,
	`{"op":"remove","path":"/spec/template/spec/containers/0/env/1"}`,
	`{"op":"remove","path":"/spec/nothing"}`,
	`{"op":"move","from":"/spec/template/spec/containers/0/env/0","path":"/spec/template/spec/containers/0/env/-"}`,
	`{"op":"move","from":"/spec/template/spec/containers/0/env/0","path":"/spec/template/spec/containers/-"}`,
	`{"op":"copy","from":"/spec/template/spec/containers/0","path":"/spec/template/spec/containers/-"}`,
	`{"op":"copy","from":"/metadata/labels","path":"/metadata/annotations"}`,
	`{"op":"test","path":"/spec/template/spec/containers/0/env/0","value":{"name":"x"}}`,
	`{"op":"test","path":"/metadata/name","value":"agent-coder"}`,
	`{"op":"add","path":"/metadata/annotations","value":{"a":"b"}}`,
	`{"op":"add","path":"/metadata/labels/a~1b~0c","value":"b"}`,
	`{"op":"replace","path":"/spec","value":{}}`,
	`{"op":"remove","path":"/spec"}`,
}

func TestOperationOnAPartIsTheOneOnTheWhole(t *testing.T) {
	for _, text := range operations {
		t.Run(text, func(t *testing.T) { compareOp(t, text) })
	}
}

func compareOp(t *testing.T, text string) {
	var op struct {
		Op, Path, From string
		Value          *any
	}
	if json.Unmarshal([]byte(text), &op) != nil || !strings.HasPrefix(op.Path, "/") {
		return
	}
	o, err := NewOp(op.Op, op.Path, op.From, op.Value)
	if err != nil || !exists(object(t), o.paths[0]) && o.replaces || len(o.paths) > 1 && !exists(object(t), o.paths[1]) {
		return // ours says so, the library makes something of it
	}
	before := object(t)
	part, errPart := o.Apply(before, nil)
	o.paths = [][]string{{}}
	whole, errWhole := o.Apply(object(t), nil)
	if (errPart == nil) != (errWhole == nil) {
		t.Fatalf("part: %v, whole: %v", errPart, errWhole)
	}
	if diff := cmp.Diff(object(t), before); diff != "" {
		t.Errorf("the object itself changed:\n%s", diff)
	}
	if diff := cmp.Diff(whole, part); diff != "" {
		t.Errorf("- whole, + part:\n%s", diff)
	}
}

func FuzzOperationOnAPart(f *testing.F) {
	for _, text := range operations {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 10_000 {
			compareOp(t, text)
		}
	})
}

// R16: the library's replace adds what is missing; ours says so.
func TestReplaceOfAMissingPathIsAnError(t *testing.T) {
	value := any("x")
	o, err := NewOp("replace", "/spec/template/spec/nodeNam", "", &value)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.Apply(object(t), nil); err != ErrMissing {
		t.Errorf("got %v", err)
	}
}

// R13, R16: so does the library's copy of what is not there; it copies a null.
func TestCopyOfAMissingPathIsAnError(t *testing.T) {
	for _, name := range []string{"copy", "move"} {
		o, err := NewOp(name, "/metadata/annotations", "/metadata/jabels", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := o.Apply(object(t), nil); err != ErrNoSource {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// R12: kustomize counts a negative index from the end, for every operation.
func TestNegativeIndexCountsFromTheEnd(t *testing.T) {
	value := any("x")
	o, err := NewOp("replace", "/spec/template/spec/containers/-1/image", "", &value)
	if err != nil {
		t.Fatal(err)
	}
	after, err := o.Apply(object(t), nil)
	if got, _ := Value(after, Segments("/spec/template/spec/containers/0/image")); err != nil || got != "x" {
		t.Errorf("%v, %v", got, err)
	}
	o.paths = [][]string{Segments("/spec/template/spec/containers/-2/image")}
	if _, err := o.Apply(object(t), nil); err != ErrMissing {
		t.Errorf("got %v", err)
	}
}

func BenchmarkMerge(b *testing.B) {
	Use([]Kind{statefulSet})
	m, o := NewMerge(parse(head+merges[3])), object(b)
	for b.Loop() {
		if _, err := m.Apply(o, statefulSet.Type); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOperation(b *testing.B) {
	value := any(map[string]any{"name": "X", "value": "1"})
	op, _ := NewOp("add", "/spec/template/spec/containers/0/env/-", "", &value)
	o := object(b)
	for b.Loop() {
		if _, err := op.Apply(o, nil); err != nil {
			b.Fatal(err)
		}
	}
}

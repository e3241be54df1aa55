package fields

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/source"
)

func parse(t testing.TB, text string) *source.Node {
	t.Helper()
	docs, found := source.Parse(source.NewFile("a.yaml", text), source.DefaultLimits)
	if len(found) > 0 || len(docs) != 1 {
		t.Fatalf("%d documents, %v", len(docs), found)
	}
	return docs[0]
}

// R13: a field that the type does not have is refused at any depth, with the
// nearest real name; so is a value of the wrong type.
func TestCheckPointsAtEachWrongField(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		typ  any
		want string // code, place, field, fix
	}{
		"typo":            {"spec:\n  templat: {}\n", appsv1.StatefulSet{}, `KORA-F001 2:3 spec.templat did you mean "template"?`},
		"deep typo":       {"spec: {template: {spec: {containers: [{name: a, imag: b}]}}}", appsv1.StatefulSet{}, `KORA-F001 1:49 spec.template.spec.containers[0].imag did you mean "image"?`},
		"case":            {"Spec: {}", corev1.Pod{}, `KORA-F001 1:1 Spec did you mean "spec"?`},
		"swapped letters": {"spec: {nodeSelcetor: {}}", corev1.Pod{}, `KORA-F001 1:8 spec.nodeSelcetor did you mean "nodeSelector"?`},
		"directive":       {"spec: {$retainKeys: [a]}", corev1.Pod{}, "KORA-F001 1:8 spec.$retainKeys remove it: of the directives kustomize acts on $patch alone"},
		"number as text":  {"metadata: {labels: {v: 1.0}}", corev1.Pod{}, `KORA-F002 1:24 metadata.labels.v put it in quotes: "1.0"`},
		"boolean word":    {"metadata: {labels: {v: on}}", corev1.Pod{}, `KORA-F003 1:24 metadata.labels.v write "on"`},
		"text as number":  {"spec: {replicas: 'two'}", appsv1.StatefulSet{}, "KORA-F002 1:18 spec.replicas "},
		"number too big":  {"spec: {replicas: 3000000000}", appsv1.StatefulSet{}, "KORA-F002 1:18 spec.replicas "},
		"float":           {"spec: {replicas: 1.5}", appsv1.StatefulSet{}, "KORA-F002 1:18 spec.replicas "},
		"map for list":    {"spec: {containers: {}}", corev1.Pod{}, "KORA-F002 1:20 spec.containers "},
		"list for map":    {"spec: {nodeSelector: []}", corev1.Pod{}, "KORA-F002 1:22 spec.nodeSelector "},
		"text for map":    {"spec: x", corev1.Pod{}, "KORA-F002 1:7 spec "},
		"bad quantity":    {"spec: {resources: {requests: {storage: 1Gb}}}", corev1.PersistentVolumeClaim{}, "KORA-F002 1:40 spec.resources.requests.storage "},
		"bad boolean":     {"spec: {hostNetwork: 'true'}", corev1.Pod{}, "KORA-F002 1:21 spec.hostNetwork "},
		"bad time":        {"metadata: {creationTimestamp: today}", corev1.Pod{}, "KORA-F002 1:31 metadata.creationTimestamp "},
		"null in list":    {"spec: {containers: [null]}", corev1.Pod{}, "KORA-F002 1:21 spec.containers[0] "},
	} {
		t.Run(name, func(t *testing.T) {
			found := Check(parse(t, c.text), Of(c.typ), "")
			if len(found) != 1 {
				t.Fatalf("%d faults: %v", len(found), found)
			}
			f := found[0]
			if got := fmt.Sprintf("%s %d:%d %s %s", f.Code, f.Line, f.Column, f.Field, f.Fix); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestCheckTakesWhatTheAPITakes(t *testing.T) {
	for text, typ := range map[string]any{
		"spec: {replicas: 3, template: {spec: {nodeSelector: null}}}":                                              appsv1.StatefulSet{},
		"spec: {containers: [{name: a, resources: {limits: {cpu: 1, memory: 1Gi, x: 1e3}}}]}":                      corev1.Pod{},
		"spec: {containers: [{name: a, livenessProbe: {httpGet: {port: 80}}}]}":                                    corev1.Pod{},
		"spec: {containers: [{name: a, livenessProbe: {httpGet: {port: http}}}]}":                                  corev1.Pod{},
		"metadata: {creationTimestamp: 2026-01-02T03:04:05Z, labels: {a: 'on', b: '1'}}":                           corev1.Pod{},
		"spec: {metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageValue: 1}}}]}": autoscalingv2.HorizontalPodAutoscaler{},
	} {
		if found := Check(parse(t, text), Of(typ), ""); len(found) > 0 {
			t.Errorf("%s: %v", text, found)
		}
	}
}

func TestPatchMayHoldDirectives(t *testing.T) {
	text := "spec: {$patch: replace, volumes: [{$patch: replace}, {name: a, $patch: delete}], nodeSelector: {$patch: delete}}"
	if _, found := Sieve(parse(t, text), Of(corev1.Pod{})); len(found) > 0 {
		t.Errorf("%v", found)
	}
	_, found := Sieve(parse(t, "spec: {$patch: remove}"), Of(corev1.Pod{}))
	if len(found) != 1 || found[0].Expected != "merge, replace or delete" {
		t.Errorf("%v", found)
	}
}

func TestDiffNamesItemsByTheirKey(t *testing.T) {
	before := parse(t, "spec: {hostname: a, containers: [{name: x, image: a, ports: [{containerPort: 80}]}, {name: y}], tolerations: [{key: a}], topologySpreadConstraints: [{minDomains: 1}], overhead: {cpu: 1}}").Any()
	after := parse(t, "spec: {hostname: a, containers: [{name: y}, {name: x, image: b, ports: [{containerPort: 80, protocol: UDP}]}], tolerations: [{key: b}], topologySpreadConstraints: [{minDomains: 1}, {minDomains: 2}], overhead: {cpu: 1000m}, nodeSelector: {a.b/c: d}}").Any()
	var got []string
	for _, c := range Diff(before, after, Of(corev1.Pod{})) {
		got = append(got, fmt.Sprintf("%s: %v -> %v", c.Path, c.From, c.To))
	}
	want := []string{
		"spec.containers[name=x].image: a -> b",
		"spec.containers[name=x].ports[containerPort=80].containerPort: 80 -> (none)",
		"spec.containers[name=x].ports[containerPort=80][protocol=UDP].containerPort: (none) -> 80",
		"spec.containers[name=x].ports[containerPort=80][protocol=UDP].protocol: (none) -> UDP",
		`spec.nodeSelector["a.b/c"]: (none) -> d`,
		"spec.tolerations: [map[key:a]] -> [map[key:b]]",
		"spec.topologySpreadConstraints: [map[minDomains:1]] -> [map[minDomains:1] map[minDomains:2]]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPathsComeApartAsTheyWereMade(t *testing.T) {
	p := Path("").Child("spec").Child("a.b/c").Child("containers").Item("name", "x").Child("env").Index(3).Child("").Item("k", `a]"b`)
	want := []Step{{Name: "spec", Index: -1}, {Name: "a.b/c", Index: -1}, {Name: "containers", Index: -1}, {Key: "name", Value: "x", Index: -1},
		{Name: "env", Index: -1}, {Index: 3}, {Name: "", Index: -1}, {Key: "k", Value: `a]"b`, Index: -1}}
	if got := p.Steps(); !reflect.DeepEqual(got, want) {
		t.Errorf("%s\ngot  %+v\nwant %+v", p, got, want)
	}
	if !p.Within("spec") || Path("specs").Within("spec") || !Path("spec").Within("") {
		t.Error("Within goes by whole parts")
	}
}

func FuzzPathSteps(f *testing.F) {
	for _, s := range []string{"a.b[0]", `a["b"]`, "a[k=v].b", "a[", "..", `a["`, "[k="} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, text string) { Path(text).Steps() })
}

// The names that the messages depend on come from the Go types themselves.
func TestNearestPrefersWhatIsClosest(t *testing.T) {
	for name, want := range map[string]string{"conatiners": "containers", "REPLICAS": "replicas", "zzz": "", "imagePullPolicyy": "imagePullPolicy"} {
		if got := Nearest(name, []string{"containers", "replicas", "initContainers", "imagePullPolicy"}); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func BenchmarkDiffOfSharedParts(b *testing.B) {
	before := parse(b, "spec: {containers: [{name: x}], nodeSelector: {a: b}}").Any().(map[string]any)
	after := map[string]any{"spec": before["spec"], "metadata": map[string]any{"name": "a"}}
	for b.Loop() {
		Diff(before, after, Of(corev1.Pod{}))
	}
}

package fields

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
)

// open are the named texts that may be anything, or that nobody writes.
var open = []string{"Capability", "ResourceName", "PodConditionType", "UID", "Format"}

// reached are the named texts that the specs of the seven kinds hold.
func reached() []reflect.Type {
	seen, out := map[reflect.Type]bool{}, []reflect.Type{}
	var walk func(reflect.Type)
	walk = func(t reflect.Type) {
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
			t = t.Elem()
		}
		if seen[t] {
			return
		}
		seen[t] = true
		if t.Kind() == reflect.String && t.PkgPath() != "" {
			out = append(out, t)
		}
		for i := 0; t.Kind() == reflect.Struct && i < t.NumField(); i++ {
			if f := t.Field(i); f.Name != "Status" {
				walk(f.Type)
			}
		}
	}
	for _, v := range []any{appsv1.StatefulSet{}, corev1.Pod{}, corev1.PersistentVolumeClaim{}, corev1.Service{},
		corev1.ServiceAccount{}, autoscalingv2.HorizontalPodAutoscaler{}, policyv1.PodDisruptionBudget{}} {
		walk(reflect.TypeOf(v))
	}
	return out
}

// constants are a package's, by the name of their type.
func constants(t *testing.T, pkg string) map[string][]string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", pkg).Output()
	if err != nil {
		t.Fatalf("go list %s: %v", pkg, err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			v, ok := n.(*ast.ValueSpec)
			if !ok || len(v.Values) != 1 {
				return true
			}
			typ, isNamed := v.Type.(*ast.Ident)
			value, isText := v.Values[0].(*ast.BasicLit)
			if isNamed && isText && value.Kind == token.STRING {
				text, _ := strconv.Unquote(value.Value)
				out[typ.Name] = append(out[typ.Name], text)
			}
			return true
		})
	}
	return out
}

// gated are the constants that no server of the supported versions takes by itself.
var gated = map[string][]string{"TolerationOperator": {"Gt", "Lt"}}

// R2, R13: the table is what Kubernetes' own sources say, no value less or
// more, for every text that the seven kinds hold.
func TestEveryEnumHoldsTheAPIsConstants(t *testing.T) {
	all, used := map[string]map[string][]string{}, 0
	for _, typ := range reached() {
		pkg := typ.PkgPath()
		if slices.Contains(open, typ.Name()) {
			continue
		}
		if all[pkg] == nil {
			all[pkg] = constants(t, pkg)
		}
		used++
		want := slices.DeleteFunc(all[pkg][typ.Name()], func(v string) bool { return v == "" || slices.Contains(gated[typ.Name()], v) })
		got := valuesOf(typ)
		slices.Sort(want)
		slices.Sort(got)
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s.%s: %v, the API has %v", pkg, typ.Name(), got, want)
		}
	}
	rows := 0
	for _, types := range enums {
		rows += len(types)
	}
	if rows != used {
		t.Errorf("%d rows, %d types in use", rows, used)
	}
}

// R13: a value that the API server would refuse is refused at its place, with
// the nearest that it takes.
func TestCheckRefusesWhatTheAPIDoesNotTake(t *testing.T) {
	for text, want := range map[string]string{
		"spec: {restartPolicy: never}":                                    `1:23 spec.restartPolicy did you mean "Never"?`,
		"spec: {containers: [{imagePullPolicy: IfNotPresnt}]}":            `1:39 spec.containers[0].imagePullPolicy did you mean "IfNotPresent"?`,
		"spec: {tolerations: [{operator: Equals}]}":                       `1:33 spec.tolerations[0].operator did you mean "Equal"?`,
		"spec: {tolerations: [{operator: Gt, value: '4'}]}":               `1:33 spec.tolerations[0].operator use one of: Exists, Equal`,
		"spec: {tolerations: [{effect: NoExec}]}":                         `1:31 spec.tolerations[0].effect did you mean "NoExecute"?`,
		"spec: {dnsPolicy: Cluster}":                                      `1:19 spec.dnsPolicy did you mean "ClusterFirst"?`,
		"spec: {volumes: [{emptyDir: {medium: RAM}}]}":                    `1:38 spec.volumes[0].emptyDir.medium use one of: Memory, HugePages, HugePages-`,
		"spec: {topologySpreadConstraints: [{whenUnsatisfiable: Maybe}]}": `1:56 spec.topologySpreadConstraints[0].whenUnsatisfiable use one of: DoNotSchedule, ScheduleAnyway`,
	} {
		found := Check(parse(t, text), Of(corev1.Pod{}), "")
		if len(found) != 1 {
			t.Errorf("%s: %v", text, found)
			continue
		}
		if got := fmt.Sprintf("%d:%d %s %s", found[0].Line, found[0].Column, found[0].Field, found[0].Fix); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	for _, text := range []string{
		"spec: {restartPolicy: ''}", "spec: {volumes: [{emptyDir: {medium: HugePages-2Mi}}]}", "spec: {readinessGates: [{conditionType: example.com/any}]}",
		"spec: {tolerations: [{operator: Exists, effect: NoExecute}], dnsPolicy: None}", "spec: {restartPolicy: null}",
	} {
		if found := Check(parse(t, text), Of(corev1.Pod{}), ""); len(found) > 0 {
			t.Errorf("%s: %v", text, found)
		}
	}
}

// R13: what a copy or move left in such a field is found in the object.
func TestUnlistedFindsTheTextsInAnObject(t *testing.T) {
	pod := map[string]any{"spec": map[string]any{"dnsPolicy": "Never", "restartPolicy": "Never", "tolerations": []any{map[string]any{"effect": "Exists"}}}}
	if got := fmt.Sprint(Unlisted(pod, Of(corev1.Pod{}), "")); got != "[spec.dnsPolicy spec.tolerations[0].effect]" {
		t.Error(got)
	}
}

// R2, R13: an empty text is one where the API server sees that it was given: behind a
// pointer, and in a list. Elsewhere it is as if it were not there.
func TestUnlistedFindsEmptyTextsThatWereGiven(t *testing.T) {
	empty := corev1.NodeInclusionPolicy("")
	kind, propagation := corev1.HostPathUnset, corev1.MountPropagationMode("")
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		TopologySpreadConstraints: []corev1.TopologySpreadConstraint{{NodeTaintsPolicy: &empty}},
		Containers:                []corev1.Container{{VolumeMounts: []corev1.VolumeMount{{MountPropagation: &propagation}}}},
		Volumes: []corev1.Volume{
			{VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Type: &kind}}},
			{VolumeSource: corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{
				Spec: corev1.PersistentVolumeClaimSpec{AccessModes: []corev1.PersistentVolumeAccessMode{""}}}}}},
		},
	}}
	const want = "[spec.containers[0].volumeMounts[0].mountPropagation spec.topologySpreadConstraints[0].nodeTaintsPolicy spec.volumes[1].ephemeral.volumeClaimTemplate.spec.accessModes[0]]"
	if got := fmt.Sprint(Unlisted(Plain(pod), Of(pod), "")); got != want {
		t.Error(got)
	}
}

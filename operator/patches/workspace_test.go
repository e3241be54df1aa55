package patches

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/operator/agents"
)

func typedOf[T any](t testing.TB, r *Result) T {
	t.Helper()
	for _, o := range r.Objects {
		if typed, ok := any(o.Typed).(T); ok {
			return typed
		}
	}
	t.Fatal("no such object")
	panic("")
}

func claimPatch(spec string) string {
	return "target: {kind: PersistentVolumeClaim}\npatch: |\n  kind: any\n  metadata: {name: any, labels: {team: a}, annotations: {note: b}}\n  spec: " + spec + "\n"
}

// R7: what the claim becomes is what the StatefulSet makes its claims from,
// under the template's own name.
func TestPatchedClaimIsWhatTheStatefulSetHolds(t *testing.T) {
	result, found := render(t, entry(t, "1", claimPatch("{storageClassName: fast, resources: {requests: {storage: 20Gi}}}")))
	if len(found) > 0 {
		t.Fatal(found)
	}
	claim := typedOf[*corev1.PersistentVolumeClaim](t, result)
	templates := typedOf[*appsv1.StatefulSet](t, result).Spec.VolumeClaimTemplates
	if len(templates) != 1 || !reflect.DeepEqual(templates[0].Spec, claim.Spec) || !reflect.DeepEqual(templates[0].Labels, claim.Labels) || !reflect.DeepEqual(templates[0].Annotations, claim.Annotations) {
		t.Fatalf("%+v", templates)
	}
	got := templates[0]
	if *got.Spec.StorageClassName != "fast" || got.Spec.Resources.Requests.Storage().String() != "20Gi" || got.Labels["team"] != "a" || got.Annotations["note"] != "b" || got.Name != "workspace" || got.Namespace != "" {
		t.Errorf("%+v", got)
	}
}

// R8: a claim that a patch makes ReadWriteMany pins no sandbox, and lets a
// sandbox be placed apart; one that it makes ReadWriteOnce pins.
func TestPatchedAccessModesDecideThePin(t *testing.T) {
	apart := "target: {kind: Pod}\npatch: |\n  - {op: add, path: /spec/nodeSelector, value: {pool: sandboxes}}\n"
	result, found := render(t, entry(t, "1", claimPatch("{accessModes: [ReadWriteMany]}")), entry(t, "2", apart))
	if len(found) > 0 {
		t.Fatal(found)
	}
	if agents.Pinned(typedOf[*corev1.Pod](t, result), "coder") {
		t.Error("pinned, though every node can mount the workspace")
	}
	named := "target: {kind: Pod}\npatch: |\n  - {op: add, path: /spec/nodeName, value: node-1}\n"
	_, found = render(t, entry(t, "1", claimPatch("{accessModes: [ReadWriteMany]}")), entry(t, "2", named))
	if len(found) != 1 || found[0].Code != faults.Protected || found[0].Field != "spec.nodeName" {
		t.Errorf("a node's name, which the operator's webhook refuses: %v", found)
	}
	s := settings()
	s.Workspace.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany}
	set, _ := Compile([]Entry{entry(t, "1", claimPatch("{accessModes: [ReadWriteOnce]}"))})
	result, found = set.Render(s)
	if len(found) > 0 || !agents.Pinned(typedOf[*corev1.Pod](t, result), "coder") {
		t.Errorf("not pinned, though one node holds the workspace: %v", found)
	}
}

func splits(t *testing.T, s agents.Settings, texts ...string) (faults.Code, string) {
	t.Helper()
	var entries []Entry
	for i, text := range texts {
		entries = append(entries, entry(t, fmt.Sprint(i+1), text))
	}
	set, found := Compile(entries)
	_, more := set.Render(s)
	for _, f := range append(found, more...) {
		if f.Code == faults.SplitByPatch || f.Code == faults.SplitPlacement {
			return f.Code, fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column)
		}
	}
	return "", ""
}

// R9: a split that arises by patches alone is refused as theirs, at the place
// that made it; one of the settings is not; patches may mend either.
func TestSplitPlacementIsBlamedOnWhoMadeIt(t *testing.T) {
	selecting := func(kind, pointer, pool string) string {
		return fmt.Sprintf("target: {kind: %s}\npatch: |\n  - op: add\n    path: %s/nodeSelector\n    value: {pool: %s}\n", kind, pointer, pool)
	}
	manager, sandbox := "/spec/template/spec", "/spec"
	apart := settings()
	apart.Sandbox.NodeSelector = map[string]string{"pool": "b"}
	for name, c := range map[string]struct {
		settings agents.Settings
		patches  []string
		code     faults.Code
		at       string
	}{
		"one sandbox patch":  {settings(), []string{selecting("Pod", sandbox, "b")}, faults.SplitByPatch, "1.yaml:5:13"},
		"two patches":        {settings(), []string{selecting("StatefulSet", manager, "a"), selecting("Pod", sandbox, "b")}, faults.SplitByPatch, "2.yaml:5:13"},
		"both alike":         {settings(), []string{selecting("StatefulSet", manager, "a"), selecting("Pod", sandbox, "a")}, "", ""},
		"manager asks more":  {settings(), []string{selecting("StatefulSet", manager, "a")}, "", ""},
		"settings alone":     {apart, nil, faults.SplitPlacement, ":0:0"},
		"settings, mended":   {apart, []string{selecting("StatefulSet", manager, "b")}, "", ""},
		"settings, shared":   {apart, []string{claimPatch("{accessModes: [ReadWriteMany]}")}, "", ""},
		"other labels patch": {apart, []string{"target: {kind: Pod}\npatch: |\n  - {op: add, path: /metadata/labels/a, value: b}\n"}, faults.SplitPlacement, ":0:0"},
	} {
		t.Run(name, func(t *testing.T) {
			if code, at := splits(t, c.settings, c.patches...); code != c.code || at != c.at {
				t.Errorf("%s at %s, want %s at %s", code, at, c.code, c.at)
			}
		})
	}
}

// R12, R18: a set may be used by many at once, and patches the same each time.
func TestSetIsSharedByManyGoroutines(t *testing.T) {
	var entries []Entry
	for _, file := range archive(t, "accepted.txtar").Files {
		loaded, _ := loaded(t, file)
		entries = append(entries, loaded...)
	}
	set, found := Compile(entries)
	if found.Refused() {
		t.Fatal(found)
	}
	render := func() string {
		result, found := set.Render(settings())
		var out strings.Builder
		for _, o := range result.Objects {
			fmt.Fprintln(&out, o.Title(), Text(o.Plain))
		}
		return out.String() + told(found)
	}
	want := render()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 3 {
				if got := render(); got != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
			}
		})
	}
	wg.Wait()
}

package argocd

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/generator/output"
)

// script is the health check as the patch of argocd-cm holds it.
func script(t *testing.T, set output.Set) string {
	t.Helper()
	for _, f := range set.Files {
		if f.Path != "argocd-cm-patch.yaml" {
			continue
		}
		var m corev1.ConfigMap
		if err := yaml.UnmarshalStrict([]byte(f.Text), &m); err != nil {
			t.Fatal(err)
		}
		if m.Name != "argocd-cm" || len(m.Data) != 1 {
			t.Fatalf("%+v", m)
		}
		return m.Data[HealthKey]
	}
	t.Fatal("no patch of argocd-cm")
	return ""
}

// health runs the check as Argo CD does: the object is the global obj, and the
// table that comes back has a status and a message.
func health(t *testing.T, check string, object map[string]any) string {
	t.Helper()
	l := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer l.Close()
	for name, open := range map[string]lua.LGFunction{lua.BaseLibName: lua.OpenBase, lua.TabLibName: lua.OpenTable} { // as Argo CD, which gives no more to count on
		if err := l.CallByParam(lua.P{Fn: l.NewFunction(open), Protect: true}, lua.LString(name)); err != nil {
			t.Fatal(err)
		}
	}
	l.SetGlobal("obj", table(l, object))
	if err := l.DoString(check); err != nil {
		t.Fatal(err)
	}
	got, ok := l.Get(-1).(*lua.LTable)
	if !ok || got.RawGetString("message").Type() != lua.LTString {
		t.Fatalf("the check returns %v", l.Get(-1))
	}
	return lua.LVAsString(got.RawGetString("status"))
}

func table(l *lua.LState, v any) lua.LValue {
	switch v := v.(type) {
	case map[string]any:
		out := l.NewTable()
		for key, value := range v {
			out.RawSetString(key, table(l, value))
		}
		return out
	case []any:
		out := l.NewTable()
		for _, value := range v {
			out.Append(table(l, value))
		}
		return out
	case bool:
		return lua.LBool(v)
	case float64:
		return lua.LNumber(v)
	case nil:
		return lua.LNil
	}
	return lua.LString(fmt.Sprint(v))
}

func state(healthy, phase string) map[string]any {
	status := map[string]any{}
	if healthy != "" {
		status["health"] = map[string]any{"status": healthy}
	}
	if phase != "" {
		status["operationState"] = map[string]any{"phase": phase}
	}
	return map[string]any{"status": status}
}

// R41: an Application is ready when what it holds is, its last sync has ended,
// and ended well.
func TestHealthOfAnApplication(t *testing.T) {
	check := script(t, reference(t))
	for _, c := range []struct {
		name   string
		object map[string]any
		want   string
	}{
		{"just created", map[string]any{}, "Progressing"},
		{"not looked at", state("", ""), "Progressing"},
		{"nothing there yet", state("Missing", ""), "Missing"},
		{"first sync", state("Missing", "Running"), "Progressing"},
		{"hooks run, old pods are well", state("Healthy", "Running"), "Progressing"},
		{"being ended", state("Healthy", "Terminating"), "Progressing"},
		{"the hook failed, old pods are well", state("Healthy", "Failed"), "Degraded"},
		{"error", state("Healthy", "Error"), "Degraded"},
		{"rolling out", state("Progressing", "Succeeded"), "Progressing"},
		{"broken", state("Degraded", "Succeeded"), "Degraded"},
		{"ready", state("Healthy", "Succeeded"), "Healthy"},
	} {
		if got := health(t, check, c.object); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// R41: played as Argo CD does it (apply a wave, ask the health of each, go on
// when all are healthy), a wave of children begins only when those before it are
// ready. Without the check, where an Application counts as healthy at once, all
// begin together: the test sees the difference.
func TestWavesReallyWait(t *testing.T) {
	set := reference(t)
	check := script(t, set)
	stages := []map[string]any{state("", ""), state("Missing", "Running"), state("Progressing", "Succeeded"), state("Healthy", "Succeeded")}
	if got := play(t, set, stages, func(o map[string]any) string { return health(t, check, o) }); len(got) > 0 {
		t.Errorf("began too early: %v", got)
	}
	if got := play(t, set, stages, func(map[string]any) string { return "Healthy" }); len(got) == 0 {
		t.Error("without a health check nothing began too early, so the test sees nothing")
	}
}

// play syncs the parent; each child takes a round for each stage until it is ready. It returns
// the children that began while one of a lower wave was not ready.
func play(t *testing.T, set output.Set, stages []map[string]any, healthOf func(map[string]any) string) []string {
	t.Helper()
	waves, began := map[int][]string{}, map[string]int{}
	for _, f := range set.Files {
		if strings.HasPrefix(f.Path, "apps/") {
			app := application(t, set, f.Path)
			var n int
			if _, err := fmt.Sscan(app.Annotations[waveAnnotation], &n); err != nil {
				t.Fatal(err)
			}
			waves[n] = append(waves[n], app.Name)
		}
	}
	var early []string
	round := 0
	for wave := range len(waves) {
		for _, name := range waves[wave] {
			for other, since := range began {
				if !slices.Contains(waves[wave], other) && round-since < len(stages)-1 {
					early = append(early, name)
				}
			}
		}
		for _, name := range waves[wave] {
			began[name] = round
		}
		for ready := false; !ready; {
			round++
			ready = !slices.ContainsFunc(waves[wave], func(name string) bool {
				return healthOf(stages[min(round-began[name], len(stages)-1)]) != "Healthy"
			})
		}
	}
	return early
}

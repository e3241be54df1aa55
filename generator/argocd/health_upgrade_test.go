package argocd

import (
	"encoding/json"
	"testing"
)

// of reads an Application's object from JSON, as Argo CD has it.
func of(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

const (
	oldSource = `{"chart":"kora","repoURL":"r","targetRevision":"1.4.0"}`
	newSource = `{"chart":"kora","repoURL":"r","targetRevision":"1.5.0"}`
)

// child is an Application at a source: what was compared, what was synced, and how
// the two stand to each other.
func child(t *testing.T, source, compared, sync, revision, phase, synced, syncedRevision string) map[string]any {
	t.Helper()
	return of(t, `{"spec":{"source":`+source+`},"status":{"health":{"status":"Healthy"},
"sync":{"status":"`+sync+`","revision":"`+revision+`","comparedTo":{"source":`+compared+`}},
"operationState":{"phase":"`+phase+`","syncResult":{"source":`+synced+`,"revision":"`+syncedRevision+`"}}}}`)
}

// upgrade are the stages of a child whose version was raised: its old pods are
// healthy all along.
func upgrade(t *testing.T) []map[string]any {
	return []map[string]any{
		child(t, newSource, oldSource, "Synced", "1.4.0", "Succeeded", oldSource, "1.4.0"),
		child(t, newSource, newSource, "OutOfSync", "1.5.0", "Succeeded", oldSource, "1.4.0"),
		child(t, newSource, newSource, "OutOfSync", "1.5.0", "Running", newSource, "1.5.0"),
		child(t, newSource, newSource, "Synced", "1.5.0", "Succeeded", newSource, "1.5.0"),
	}
}

// R41, R56: a child whose version was raised is not ready before the new one was
// synced; one that a version was put right for is not degraded by the last failure.
// One that only drifted is as healthy as its pods, for nothing may come to sync it.
func TestHealthOfAnOutdatedApplication(t *testing.T) {
	check := script(t, reference(t))
	for i, stage := range upgrade(t) {
		want := "Progressing"
		if i == len(upgrade(t))-1 {
			want = "Healthy"
		}
		if got := health(t, check, stage); got != want {
			t.Errorf("stage %d: %s, want %s", i, got, want)
		}
	}
	git, values := `{"repoURL":"r","path":"p","targetRevision":"main"}`, `{"chart":"kora","repoURL":"r","targetRevision":"1.4.0","helm":{"valuesObject":{"a":{"b":[1,2]}}}}`
	copied := `{"chart":"kora","repoURL":"r","targetRevision":"1.4.0","helm":{"valuesObject":{"a":{"b":[1,2]}}},"directory":{"jsonnet":{}},"path":""}`
	changed := `{"chart":"kora","repoURL":"r","targetRevision":"1.4.0","helm":{"valuesObject":{"a":{"b":[1,3]}}}}`
	several := func(revision, syncedRevision string) map[string]any {
		both := `{"sources":[` + values + `,{"repoURL":"v","ref":"values","targetRevision":"main"}]`
		return of(t, `{"spec":`+both+`},"status":{"health":{"status":"Healthy"},"sync":{"status":"OutOfSync","revisions":["1.4.0","`+revision+`"],"comparedTo":`+both+`,"source":{"repoURL":""}}},
"operationState":{"phase":"Succeeded","syncResult":`+both+`,"source":{"repoURL":""},"revision":"","revisions":["1.4.0","`+syncedRevision+`"]}}}}`)
	}
	for _, c := range []struct {
		name   string
		object map[string]any
		want   string
	}{
		{"drift", child(t, oldSource, oldSource, "OutOfSync", "1.4.0", "Succeeded", oldSource, "1.4.0"), "Healthy"},
		{"a new commit", child(t, git, git, "OutOfSync", "bbb", "Succeeded", git, "aaa"), "Progressing"},
		{"a new commit without a change", child(t, git, git, "Synced", "bbb", "Succeeded", git, "aaa"), "Healthy"},
		{"new values", child(t, changed, changed, "OutOfSync", "1.4.0", "Succeeded", values, "1.4.0"), "Progressing"},
		{"new values, not compared", child(t, changed, values, "Synced", "1.4.0", "Succeeded", values, "1.4.0"), "Progressing"},
		{"a copy without what is empty", child(t, values, copied, "OutOfSync", "1.4.0", "Succeeded", copied, "1.4.0"), "Healthy"},
		{"a new version after a failed one", child(t, newSource, newSource, "OutOfSync", "1.5.0", "Failed", oldSource, "1.4.0"), "Progressing"},
		{"the new version failed", child(t, newSource, newSource, "OutOfSync", "1.5.0", "Failed", newSource, "1.5.0"), "Degraded"},
		{"two sources, drift", several("aaa", "aaa"), "Healthy"},
		{"two sources, a new commit", several("bbb", "aaa"), "Progressing"},
		{"never synced", of(t, `{"spec":{"source":`+oldSource+`},"status":{"health":{"status":"Healthy"},"sync":{"status":"OutOfSync","revision":"1.4.0"}}}`), "Progressing"},
		{"failed before it began", of(t, `{"spec":{"source":`+oldSource+`},"status":{"health":{"status":"Healthy"},"sync":{"status":"OutOfSync"},"operationState":{"phase":"Error"}}}`), "Degraded"},
	} {
		if got := health(t, check, c.object); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// R41, R56: in an upgrade, too, a wave begins when the one before it has ended. By
// the health that Argo CD's own documents give Applications, which is that of their
// pods, all would begin together: the test sees the difference.
func TestWavesWaitInAnUpgrade(t *testing.T) {
	set := reference(t)
	check := script(t, set)
	if got := play(t, set, upgrade(t), func(o map[string]any) string { return health(t, check, o) }); len(got) > 0 {
		t.Errorf("began too early: %v", got)
	}
	pods := func(o map[string]any) string {
		return o["status"].(map[string]any)["health"].(map[string]any)["status"].(string)
	}
	if got := play(t, set, upgrade(t), pods); len(got) == 0 {
		t.Error("by the health of pods alone nothing began too early, so the test sees nothing")
	}
}

package injection

import (
	"encoding/json"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// R54: what the API server makes of the answer is what was injected, and what the
// answer leaves out stays as it is.
func TestTheAnswerMakesThePodThatWasInjected(t *testing.T) {
	crowded := func() *corev1.Pod {
		p := meshed(sandbox())
		hostile["fields and their names"](p, 10)
		hostile["containers and keys"](p, 10)
		hostile["a long name and claims"](p, 3)
		p.Status.Phase = corev1.PodPending
		return p
	}
	for name, of := range map[string]func() *corev1.Pod{"sandbox": sandbox, "session-manager": sessionManager, "in the mesh": func() *corev1.Pod { return meshed(sessionManager()) }, "crowded": crowded} {
		pod, i := of(), injector()
		once := pod.DeepCopy()
		i.add(once)
		twice := once.DeepCopy()
		twice.Spec.InitContainers[0].Env, twice.Spec.Volumes = nil, twice.Spec.Volumes[:1] // somebody's change in between
		again := twice.DeepCopy()
		i.add(again)
		for _, step := range []struct{ from, to *corev1.Pod }{{pod, once}, {once, once}, {twice, again}} {
			if got := patched(t, step.from, step.to); !equality.Semantic.DeepEqual(got, step.to) {
				t.Errorf("%s becomes\n%s\nand not\n%s", name, text(t, got), text(t, step.to))
			}
		}
	}
}

// patched is a pod after the answer that would make it another.
func patched(t *testing.T, from, to *corev1.Pod) *corev1.Pod {
	t.Helper()
	response := patch(from, to)
	operations, err := json.Marshal(response.Patches)
	if err != nil || !response.Allowed {
		t.Fatalf("%v %+v", err, response.Result)
	}
	decoded, err := jsonpatch.DecodePatch(operations)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(from)
	if err != nil {
		t.Fatal(err)
	}
	if len(response.Patches) > 0 {
		if raw, err = decoded.Apply(raw); err != nil {
			t.Fatal(err)
		}
	}
	got := &corev1.Pod{}
	if err := json.Unmarshal(raw, got); err != nil {
		t.Fatal(err)
	}
	return got
}

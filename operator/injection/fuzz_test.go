package injection

import (
	"encoding/json"
	"math/rand"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/randfill"
)

// FuzzChangedPods changes a pod of kora's by any merge patch. R54: the injector
// never panics, what it takes is idempotent, and nothing in it is weaker.
func FuzzChangedPods(f *testing.F) {
	for _, patch := range []string{
		`{}`, `{"metadata":{"labels":{"runkora.io/component":null}}}`, `{"metadata":{"labels":null,"annotations":null}}`,
		`{"spec":{"initContainers":[{"name":"kora-enforcer","image":"x"},{"name":"istio-proxy"},{"name":"a"}]}}`,
		`{"spec":{"volumes":[{"name":"kora-identity","hostPath":{"path":"/"}},{"name":"kora-identity"},{}]}}`,
		`{"spec":{"volumes":[{"name":"kora-policy","configMap":{"name":"mine"}}]}}`,
		`{"spec":{"containers":[]}}`, `{"spec":{"containers":null,"securityContext":null}}`, `{"spec":null}`, `{"metadata":null}`,
		`{"spec":{"hostUsers":true,"hostIPC":true,"shareProcessNamespace":false}}`,
		`{"spec":{"ephemeralContainers":[{"name":"debug","securityContext":{"privileged":true}}]}}`,
		`{"metadata":{"name":"","generateName":"sandbox-coder-"}}`, `{"metadata":{"ownerReferences":[{}]}}`,
	} {
		f.Add([]byte(patch), false, false)
		f.Add([]byte(patch), true, true)
	}
	f.Fuzz(func(t *testing.T, patch []byte, manager, mesh bool) {
		pod := sandbox()
		if manager {
			pod = sessionManager()
		}
		if mesh {
			pod = meshed(pod)
		}
		original, err := json.Marshal(pod)
		if err != nil {
			t.Fatal(err)
		}
		changed, err := jsonpatch.MergePatch(original, patch)
		if err != nil {
			return
		}
		got := &corev1.Pod{}
		if json.Unmarshal(changed, got) == nil {
			sound(t, got)
		}
	})
}

// R54: the same of pods that are filled at random, some of which say that they are
// an agent's.
func TestRandomPodsAreJudgedSoundly(t *testing.T) {
	taken := 0
	for seed := range int64(3000) {
		fill := randfill.NewWithSeed(seed).NilChance(0.6).NumElements(0, 3).MaxDepth(8)
		pod := &corev1.Pod{}
		fill.Fill(pod)
		if random := rand.New(rand.NewSource(seed)); random.Intn(3) > 0 { // most of them nearly a good one
			good := meshed(sandbox())
			good.Spec.Containers[0].Env = nil
			for _, graft := range []func(){
				func() { good.Spec.Affinity = pod.Spec.Affinity },
				func() { good.Spec.Tolerations = pod.Spec.Tolerations },
				func() { good.Spec.Volumes = append(good.Spec.Volumes, pod.Spec.Volumes...) },
				func() { good.Spec.InitContainers = append(good.Spec.InitContainers, pod.Spec.InitContainers...) },
				func() { good.Spec.Overhead = pod.Spec.Overhead },
				func() { good.Spec.Containers[0].Resources = corev1.ResourceRequirements{} },
			} {
				if random.Intn(3) == 0 {
					graft()
				}
			}
			pod = good
		}
		if sound(t, pod) {
			taken++
		}
	}
	if taken < 300 {
		t.Errorf("only %d of the pods were taken: the test proves little", taken)
	}
}

// sound tries one pod, and tells whether it was an agent's that was taken.
func sound(t *testing.T, pod *corev1.Pod) bool {
	t.Helper()
	out, faults := injector().Inject(pod, tenant)
	if len(faults) > 0 {
		return false
	}
	if !isAgent(pod.Labels) {
		if out != pod {
			t.Error("another pod was changed")
		}
		return false
	}
	again, faults := injector().Inject(out, tenant)
	if len(faults) > 0 || !equality.Semantic.DeepEqual(out, again) {
		t.Errorf("not idempotent: %v", faults)
	}
	if faults := append(restricted(out), bounds(out)...); len(faults) > 0 {
		t.Errorf("weaker: %v", faults)
	}
	unchanged(t, pod, out)
	return true
}

// unchanged compares all that the injector has no business with.
func unchanged(t *testing.T, before, after *corev1.Pod) {
	t.Helper()
	a, b := strip(before), strip(after)
	for key := range injector().settings.wiring() {
		if before.Annotations[key] != "" && before.Annotations[key] != after.Annotations[key] {
			t.Error(field.Invalid(nil, key, "an annotation that was taken was overwritten"))
		}
	}
	if !equality.Semantic.DeepEqual(a, b) {
		t.Errorf("changed besides the sidecars:\n%s\n%s", text(t, a), text(t, b))
	}
}

// strip takes away what is injected.
func strip(pod *corev1.Pod) *corev1.Pod {
	pod = pod.DeepCopy()
	for key := range injector().settings.wiring() {
		delete(pod.Annotations, key)
	}
	var volumes []corev1.Volume
	for _, v := range pod.Spec.Volumes {
		if v.Name != meshSocket && v.Name != IdentityVolume && v.Name != PolicyVolume {
			volumes = append(volumes, v)
		}
	}
	var init []corev1.Container
	for _, c := range pod.Spec.InitContainers {
		if c.Name != Enforcer {
			init = append(init, c)
		}
	}
	pod.Spec.Volumes, pod.Spec.InitContainers = volumes, init
	for _, containers := range lists(pod) {
		for n := range containers {
			if containers[n].Name == meshProxy {
				containers[n].Resources.Requests = nil
			}
		}
	}
	return pod
}

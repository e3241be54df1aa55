package injection

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/rules"
)

// must injects and fails the test when the pod is refused.
func must(t testing.TB, i *Injector, pod *corev1.Pod) *corev1.Pod {
	t.Helper()
	before := pod.DeepCopy()
	out, faults := i.Inject(pod, tenant)
	if len(faults) > 0 {
		t.Fatalf("refused: %s", rules.Message(faults))
	}
	if !equality.Semantic.DeepEqual(before, pod) {
		t.Fatal("the pod that was given changed")
	}
	return out
}

// R10, R29, R54: with both sidecars a sandbox requests what is reserved for it, to
// the last byte, whatever the sidecars' values, and whether Istio's injector came
// first or comes later.
func TestSandboxRequestsWhatIsReservedForIt(t *testing.T) {
	for _, sidecars := range []agents.Sidecars{
		agents.Defaults("1.4.0").Sidecars,
		{CPU: resource.MustParse("1"), Memory: resource.MustParse("333Mi")},
		{CPU: resource.MustParse("7m"), Memory: resource.MustParse("1000001")},
		{CPU: resource.MustParse("0"), Memory: resource.MustParse("0")},
	} {
		s := settings()
		s.Sidecars = sidecars
		i := New(Settings{Image: "x:1", Sidecars: sidecars})
		first := must(t, i, meshed(agents.Build(s).Sandbox))
		// The other order: Istio reads the annotations, and this webhook runs again.
		later := must(t, i, agents.Build(s).Sandbox)
		share, err := resource.ParseQuantity(later.Annotations["sidecar.istio.io/proxyCPU"])
		if err != nil {
			t.Fatal(err)
		}
		later = meshed(later)
		later.Spec.InitContainers[1].Resources.Requests["cpu"] = share
		later.Spec.InitContainers[1].Resources.Requests["memory"] = resource.MustParse(later.Annotations["sidecar.istio.io/proxyMemory"])
		for name, pod := range map[string]*corev1.Pod{"first": first, "later": later, "again": must(t, i, later)} {
			want, got := agents.SandboxTotal(s), requested(t, pod)
			for _, key := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage} {
				if a, b := want[key], got[key]; a.Cmp(b) != 0 {
					t.Errorf("%v %s: %s is %s, and %s is reserved", sidecars, name, key, b.String(), a.String())
				}
			}
		}
	}
}

// R54: what was injected comes back as it is, also when something else changed the
// sidecar in between.
func TestInjectionIsIdempotent(t *testing.T) {
	i := injector()
	for name, pod := range map[string]*corev1.Pod{"sandbox": sandbox(), "session-manager": sessionManager(), "in the mesh": meshed(sandbox()), "session-manager in the mesh": meshed(sessionManager())} {
		once := must(t, i, pod)
		if twice := must(t, i, once); text(t, once) != text(t, twice) {
			t.Errorf("%s changes again", name)
		}
		other := once.DeepCopy()
		for n := range other.Spec.InitContainers {
			if other.Spec.InitContainers[n].Name == Enforcer {
				other.Spec.InitContainers[n].Image, other.Spec.InitContainers[n].Env = "evil:1", nil
			}
		}
		other.Spec.Volumes[len(other.Spec.Volumes)-1].VolumeSource = corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}
		if again := must(t, i, other); text(t, again) != text(t, once) {
			t.Errorf("%s: a changed sidecar is not put right", name)
		}
	}
}

// R54: a sandbox, before and after, as a person reads it.
func TestInjectedSandboxIsOnRecord(t *testing.T) {
	got, err := yaml.Marshal(must(t, injector(), sandbox()))
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "sandbox.yaml")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != string(got) {
		t.Errorf("%v; UPDATE=1 writes %s anew:\n%s", err, golden, got)
	}
}

// R1, R2, R54: every preview on record is taken and stays restricted.
func TestPreviewsOnRecordAreTaken(t *testing.T) {
	files, err := filepath.Glob("../../plugin/render/testdata/golden/*.yaml")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d previews: %v", len(files), err)
	}
	more, err := filepath.Glob("../agents/testdata/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	pods := 0
	for _, file := range append(files, more...) {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, document := range strings.Split(string(content), "\n---\n") {
			pod := podOf(t, strings.TrimPrefix(document, "---\n"))
			if pod == nil {
				continue
			}
			pods++
			pod.Labels[agents.LabelTenant] = tenant // a preview without a namespace is of tenant-example
			if _, faults := injector().Inject(pod, tenant); len(faults) > 0 {
				t.Errorf("%s: %s %s", file, pod.Name, rules.Message(faults))
			}
		}
	}
	if pods < 2*len(files) {
		t.Errorf("%d pods in %d files", pods, len(files))
	}
}

// podOf is the pod of a document: a sandbox, or the first of a StatefulSet.
func podOf(t *testing.T, document string) *corev1.Pod {
	t.Helper()
	var kind struct{ Kind string }
	if err := yaml.Unmarshal([]byte(document), &kind); err != nil {
		t.Fatal(err)
	}
	switch kind.Kind {
	case "Pod":
		pod := &corev1.Pod{}
		if err := yaml.UnmarshalStrict([]byte(document), pod); err != nil {
			t.Fatal(err)
		}
		return pod
	case "StatefulSet":
		o := agents.Build(settings())
		if err := yaml.Unmarshal([]byte(document), o.StatefulSet); err != nil {
			t.Fatal(err)
		}
		return replica(o)
	}
	return nil
}

// R54: a tenant's other pods are let alone, byte for byte.
func TestOtherPodsAreLetAlone(t *testing.T) {
	pod := &corev1.Pod{}
	pod.Name, pod.Labels = "jira-tools-x", map[string]string{"app": "jira", "runkora.io/tenant": tenant, "runkora.io/sandbox-image": "go", "sidecar.istio.io/inject": "false"}
	if out, faults := injector().Inject(pod, tenant); len(faults) > 0 || out != pod {
		t.Errorf("%v %v", out, faults)
	}
}

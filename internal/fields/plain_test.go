package fields

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/randfill"
)

// Plain must say what apimachinery's converter says of any object, less the
// nulls, empty structs, and the two fields that it writes though they are unset.
func TestPlainIsWhatTheConverterSays(t *testing.T) {
	fill := randfill.NewWithSeed(7).NilChance(.3).NumElements(0, 3).MaxDepth(12).Funcs(
		func(q *resource.Quantity, c randfill.Continue) {
			*q = *resource.NewQuantity(c.Int63n(1000), resource.BinarySI)
		},
		func(t *metav1.Time, c randfill.Continue) { *t = metav1.Unix(c.Int63n(2_000_000_000), 0) },
		func(f *metav1.FieldsV1, _ randfill.Continue) { f.SetRawString(`{"f:a":{}}`) },
		func(i *intstr.IntOrString, c randfill.Continue) {
			*i = intstr.FromInt32(c.Int31())
			if c.Bool() {
				*i = intstr.FromString("25%")
			}
		},
		func(f *float64, _ randfill.Continue) { *f = 0.5 },
	)
	for range 200 {
		for _, v := range []runtime.Object{&appsv1.StatefulSet{}, &corev1.Pod{}, &corev1.Service{}, &corev1.ServiceAccount{},
			&corev1.PersistentVolumeClaim{}, &autoscalingv2.HorizontalPodAutoscaler{}, &policyv1.PodDisruptionBudget{}} {
			fill.Fill(v)
			want, err := runtime.DefaultUnstructuredConverter.ToUnstructured(v)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(trimmed(want), trimmed(Plain(v))); diff != "" {
				t.Fatalf("%T (- converter, + ours):\n%s", v, diff)
			}
		}
	}
}

// trimmed drops nulls and empty maps at any depth, where the two may differ.
func trimmed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, item := range v {
			unset := k == "divisor" && item == "0" || k == "targetPort" && item == int64(0)
			if item = trimmed(item); item != nil && !unset {
				out[k] = item
			}
		}
		if len(out) == 0 {
			return nil
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = trimmed(v[i])
		}
		return out
	}
	return v
}

func TestPlainKeepsAnEmptyStructThatIsAChoice(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "a"}},
		Volumes: []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}}}}
	want := map[string]any{"spec": map[string]any{
		"containers": []any{map[string]any{"name": "a"}},
		"volumes":    []any{map[string]any{"name": "v", "emptyDir": map[string]any{}}},
	}}
	if diff := cmp.Diff(want, Plain(pod)); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkPlain(b *testing.B) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "a"}}}}
	for b.Loop() {
		Plain(pod)
	}
}

package release

import (
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/patches/guard"
	"github.com/runkora/kora/plugin/release/admit"
)

// sound adds what the API server would refuse in an object of the right shape: a
// request above its limit, a selector that finds nothing, a name that is none (R19).
// Of what patches can change, the check of patches foretells it.
func (c *check) sound(n *source.Node) {
	plain, _ := n.Any().(map[string]any)
	version, kind := textAt(n, "apiVersion"), textAt(n, "kind")
	c.refused(n, "", c.metadata(version, kind, plain))
	typed, err := scheme.Scheme.New(schema.FromAPIVersionAndKind(version, kind))
	if err != nil {
		return
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(plain, typed); err != nil {
		return // the check of types has told it
	}
	c.refused(n, "", admit.Check(typed, c.newer()))
	if known, at := patchable(typed); known != nil {
		c.refused(n, at, guard.Sound(known, known, fields.Of(known)))
	}
}

// metadata is judged of every kind, also of those that no type is at hand for. A
// list has none to speak of.
func (c *check) metadata(version, kind string, plain map[string]any) []guard.Violation {
	var meta metav1.ObjectMeta
	text, err := json.Marshal(plain["metadata"])
	if err != nil || json.Unmarshal(text, &meta) != nil {
		return nil // the check of types has told it
	}
	return admit.Metadata(version, kind, meta, c.newer())
}

func (c *check) refused(n *source.Node, at fields.Path, found []guard.Violation) {
	for _, v := range found {
		path := v.Path
		if at != "" {
			path = at + "." + path
		}
		f := placeOf(n, path).Fault(v.Code, v.Message)
		f.Object, f.Field = c.object.Title(), string(path)
		f.Found, f.Expected, f.Fix = v.Found, v.Expected, v.Fix
		c.found = append(c.found, f)
	}
}

// patchable is what the check of patches knows of an object: the object itself, or
// the pod that it makes, and where that stands in it. Of a Service it knows but the
// agents' own, which is reached inside the cluster alone.
func patchable(o runtime.Object) (runtime.Object, fields.Path) {
	pod := func(t *corev1.PodTemplateSpec, at fields.Path) (runtime.Object, fields.Path) {
		meta := metav1.ObjectMeta{Labels: t.Labels, Annotations: t.Annotations} // it is named when it is made
		return &corev1.Pod{ObjectMeta: meta, Spec: t.Spec}, at
	}
	switch o := o.(type) {
	case *appsv1.Deployment:
		return pod(&o.Spec.Template, "spec.template")
	case *appsv1.ReplicaSet:
		return pod(&o.Spec.Template, "spec.template")
	case *appsv1.DaemonSet:
		return pod(&o.Spec.Template, "spec.template")
	case *batchv1.Job:
		return pod(&o.Spec.Template, "spec.template")
	case *batchv1.CronJob:
		return pod(&o.Spec.JobTemplate.Spec.Template, "spec.jobTemplate.spec.template")
	case *appsv1.StatefulSet, *corev1.Pod, *corev1.PersistentVolumeClaim, *autoscalingv2.HorizontalPodAutoscaler:
		return o, ""
	}
	return nil, ""
}

// placeOf is where a field stands, or the innermost field around it.
func placeOf(n *source.Node, path fields.Path) source.Pos {
	at := n.Pos
	for _, step := range path.Steps() {
		if n = child(n, step); n == nil {
			break
		}
		at = n.Pos
	}
	return at
}

func child(n *source.Node, step fields.Step) *source.Node {
	switch {
	case step.Name != "":
		return n.Get(step.Name)
	case step.Index >= 0 && step.Index < len(n.Items):
		return n.Items[step.Index]
	}
	for _, item := range n.Items {
		if v := item.Get(step.Key); v != nil && v.Value == step.Value {
			return item
		}
	}
	return nil
}

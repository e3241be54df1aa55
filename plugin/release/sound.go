package release

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/patches/guard"
)

// sound adds what the API server would refuse in an object of the right shape, as
// the check of patches foretells it: a request above its limit, a name that is
// none (R19).
func (c *check) sound() {
	o := c.object
	typed, err := scheme.Scheme.New(schema.FromAPIVersionAndKind(o.APIVersion, o.Kind))
	if err != nil {
		return
	}
	plain, _ := o.Node.Any().(map[string]any)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(plain, typed); err != nil {
		return // the check of types has told it
	}
	at := fields.Path("")
	if spec, path := podOf(typed); spec != nil {
		typed, at = &corev1.Pod{Spec: *spec}, path
	}
	for _, v := range guard.Sound(typed, typed, fields.Of(typed)) {
		path := v.Path
		if at != "" {
			path = at + "." + path
		}
		f := placeOf(o.Node, path).Fault(v.Code, v.Message)
		f.Object, f.Field = o.Title(), string(path)
		f.Found, f.Expected, f.Fix = v.Found, v.Expected, v.Fix
		c.found = append(c.found, f)
	}
}

// podOf is the pod that an object makes, and where it stands in it.
func podOf(o runtime.Object) (*corev1.PodSpec, fields.Path) {
	switch o := o.(type) {
	case *appsv1.Deployment:
		return &o.Spec.Template.Spec, "spec.template"
	case *appsv1.DaemonSet:
		return &o.Spec.Template.Spec, "spec.template"
	case *appsv1.StatefulSet:
		return &o.Spec.Template.Spec, "spec.template"
	case *batchv1.Job:
		return &o.Spec.Template.Spec, "spec.template"
	case *batchv1.CronJob:
		return &o.Spec.JobTemplate.Spec.Template.Spec, "spec.jobTemplate.spec.template"
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

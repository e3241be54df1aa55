package status_test

import (
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/status"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
)

// R50 to R52: of every kind, a change of the spec or of any part of the status
// wakes, and what is neither does not.
func TestChangesOfSpecAndStatusWake(t *testing.T) {
	for _, o := range []v1alpha1.Object{&v1alpha1.KoraTenant{}, &v1alpha1.Connection{}, &v1alpha1.OAuthClient{}, &v1alpha1.MCPServer{}, &v1alpha1.ModelProvider{}, &v1alpha1.SandboxImage{}} {
		o.SetGeneration(1)
		status.Set(o, status.Summary(o), status.Good("a"), now)
		for name, c := range map[string]struct {
			change func(v1alpha1.Object)
			wakes  bool
		}{
			"nothing":   {func(v1alpha1.Object) {}, false},
			"a label":   {func(o v1alpha1.Object) { o.SetLabels(map[string]string{"a": "b"}) }, false},
			"a version": {func(o v1alpha1.Object) { o.SetResourceVersion("7") }, false},
			"the spec":  {func(o v1alpha1.Object) { o.SetGeneration(2) }, true},
			"another":   {func(o v1alpha1.Object) { o.SetUID("b") }, true},
			"a reason":  {func(o v1alpha1.Object) { o.Common().Conditions[0].Reason = v1alpha1.ReasonFailed }, true},
			"a message": {func(o v1alpha1.Object) { o.Common().Conditions[0].Message = "b" }, true},
			"its moment": {func(o v1alpha1.Object) {
				o.Common().Conditions[0].LastTransitionTime = metav1.NewTime(now.Add(time.Hour))
			}, true},
			"observed":           {func(o v1alpha1.Object) { o.Common().ObservedGeneration = 0 }, true},
			"a part of its kind": {func(o v1alpha1.Object) { own(o) }, own(o.DeepCopyObject())},
		} {
			after := o.DeepCopyObject().(v1alpha1.Object)
			c.change(after)
			got := status.Changed().Update(event.UpdateEvent{ObjectOld: any(o).(client.Object), ObjectNew: any(after).(client.Object)})
			if got != c.wakes {
				t.Errorf("%s: %s wakes: %v", status.Kind(o), name, got)
			}
		}
	}
}

// own changes what only this kind's status has, and reports whether there is any.
func own(o any) bool {
	switch o := o.(type) {
	case *v1alpha1.KoraTenant:
		o.Status.Namespace = "other"
	case *v1alpha1.Connection:
		o.Status.SecretHash = "other"
	case *v1alpha1.ModelProvider:
		o.Status.ServiceEntry = "other"
	case *v1alpha1.SandboxImage:
		o.Status.Digest = "other"
	default:
		return false
	}
	return true
}

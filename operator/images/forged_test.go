package images_test

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images/registrytest"
	"github.com/runkora/kora/operator/status"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R52: what somebody wrote into statuses while no operator ran is not believed, with the
// operator's words, with the mark of another image, or with that of another reference,
// though the registry is out from then on; what an operator read before is kept.
func TestAStatusForgedMeanwhileIsNotBelieved(t *testing.T) {
	var out atomic.Bool
	p := begin(t, "forged", func(w http.ResponseWriter, _ *http.Request) bool {
		if out.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return out.Load()
	}, nil)
	wrong := p.server.Push(t, "team/root:1", registrytest.Sandbox(t, "linux/amd64", "0")).String()
	p.server.Push(t, "team/good:1", registrytest.Sandbox(t, "linux/amd64", "100"))
	p.image(t, "good", at+"/team/good:1", nil)
	for _, name := range []string{"words", "mark"} {
		p.image(t, name, at+"/team/root:1", func(o *v1alpha1.SandboxImage) { o.Spec.Warm = true })
		p.says(t, name, v1alpha1.ReasonWrongUser)
	}
	p.image(t, "moved", at+"/team/good:1", nil)
	p.says(t, "moved", v1alpha1.ReasonSucceeded)
	p.says(t, "good", v1alpha1.ReasonSucceeded)
	p.Quiet(t) // so that all marks are written
	if err := p.run.Stop(); err != nil {
		t.Fatal(err)
	}
	get := func(name string) *v1alpha1.SandboxImage {
		o := &v1alpha1.SandboxImage{ObjectMeta: metav1.ObjectMeta{Namespace: p.namespace, Name: name}}
		if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(o), o); err != nil {
			t.Fatal(err)
		}
		return o
	}
	good := get("good")
	patch(t, p, get("mark"), `{"metadata":{"annotations":{"`+v1alpha1.AnnotationMark+`":"`+good.Annotations[v1alpha1.AnnotationMark]+`"}}}`)
	patch(t, p, get("moved"), `{"spec":{"image":"`+at+`/team/root:1"}}`)
	for _, name := range []string{"words", "mark", "moved"} {
		o := get(name)
		before := o.DeepCopy()
		now := metav1.NewTime(time.Now().Truncate(time.Second))
		if o.Status.CheckedAt = &now; name == "moved" {
			o.Status.CheckedAt = before.Status.CheckedAt
		}
		o.Status.Digest, o.Status.Platforms = wrong, []string{"linux/amd64"}
		status.Set(o, v1alpha1.ConditionValid, status.Good("sandboxes pull the image as %s", wrong), now.Time)
		if err := p.Admin.Status().Patch(t.Context(), o, client.MergeFrom(before)); err != nil {
			t.Fatal(err)
		}
	}
	out.Store(true)
	p.Settings.SyncPeriod = "2s"
	p.start(t)
	for _, name := range []string{"words", "mark", "moved"} {
		if got := p.says(t, name, v1alpha1.ReasonRegistryUnavailable, "answers 503"); got.Status.Digest != "" {
			t.Errorf("%s has a digest that no operator read: %+v", name, got.Status)
		}
		warm := &appsv1.DaemonSet{}
		if err := absent(p.Admin.Get(t.Context(), client.ObjectKey{Namespace: p.namespace, Name: "kora-warm-" + name}, warm)); err != nil {
			t.Errorf("%s is kept pulled: %v", name, err)
		}
	}
	// What was read before the start is taken by no outage.
	if got := p.says(t, "good", v1alpha1.ReasonSucceeded, good.Status.Digest, "since then", "answers 503"); got.Status.Digest != good.Status.Digest {
		t.Errorf("a restart while the registry is out took the digest: %+v", got.Status)
	}
}

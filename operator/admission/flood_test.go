package admission

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/runkora/kora/operator/admission/gate"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/certificates"
	"github.com/runkora/kora/operator/rules"
)

// world is what the validator reads: two tenants, of which the reads of one stand
// still until the request ends.
type world struct {
	slow  string // a namespace
	stuck atomic.Int32
}

func (w *world) Get(ctx context.Context, key client.ObjectKey, o client.Object, _ ...client.GetOption) error {
	switch o := o.(type) {
	case *corev1.Namespace:
		if key.Name == w.slow {
			w.stuck.Add(1)
			defer w.stuck.Add(-1)
			<-ctx.Done()
			return ctx.Err()
		}
		name := strings.TrimPrefix(key.Name, v1alpha1.TenantNamespace(""))
		o.Name, o.UID, o.Labels = key.Name, "1", map[string]string{v1alpha1.LabelTenant: name, v1alpha1.LabelManagedBy: v1alpha1.Operator}
	case *v1alpha1.KoraTenant:
		o.Name, o.Annotations = key.Name, map[string]string{v1alpha1.AnnotationNamespaceUID: "1"}
	default:
		return fmt.Errorf("%T is not asked for", o)
	}
	return nil
}

func (*world) List(context.Context, client.ObjectList, ...client.ListOption) error { return nil }

var wanted = []byte(`{"metadata":{"name":"x"},"spec":{"image":"ghcr.io/team/image:1"}}`)

// image is a request for a SandboxImage.
func image(namespace string, raw []byte) admission.Request {
	return admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{Namespace: namespace, Operation: admissionv1.Create,
		Kind:   metav1.GroupVersionKind{Group: v1alpha1.Group, Version: "v1alpha1", Kind: "SandboxImage"},
		Object: runtime.RawExtension{Raw: raw}}}
}

// R54: a flood of one tenant's resources holds its own up, and neither another tenant's
// nor the proof that the webhook serves; each is answered in time.
func TestAFloodOfOneTenantIsItsOwnAffair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{slow: "kora-tenant-evil"}
		v := New(rules.Platform{SystemNamespace: "kora-system"})
		v.cached, v.direct = w, w
		const many = 500
		answers := make(chan int32, many)
		for range many {
			go func() {
				r := v.Handle(t.Context(), image(w.slow, wanted))
				if !strings.Contains(r.Result.Message, "try again") {
					t.Errorf("%+v", r.Result)
				}
				answers <- r.Result.Code
			}()
		}
		synctest.Wait()
		if n, most := int(w.stuck.Load()), gate.Default().Each; n != most {
			t.Errorf("%d of the flood are judged, want %d", n, most)
		}
		began := time.Now()
		if r := v.Handle(t.Context(), image("kora-tenant-good", wanted)); !r.Allowed {
			t.Errorf("another tenant's: %+v", r.Result)
		}
		canary, mark := certificates.Canary("kora-system")
		raw, err := json.Marshal(canary)
		if err != nil {
			t.Fatal(err)
		}
		if r := v.Handle(t.Context(), image("kora-system", raw)); r.Allowed || !strings.Contains(r.Result.Message, mark) {
			t.Errorf("the proof: %+v", r.Result)
		}
		if waited := time.Since(began); waited > 0 {
			t.Errorf("others waited %v", waited)
		}
		time.Sleep(patience) // by the bubble's clock
		synctest.Wait()
		codes := map[int32]int{}
		for len(answers) > 0 {
			codes[<-answers]++
		}
		if codes[http.StatusTooManyRequests]+codes[http.StatusServiceUnavailable] != many || codes[http.StatusServiceUnavailable] > 2*gate.Default().Each {
			t.Errorf("%v", codes)
		}
	})
}

// R54: administrators' requests and the proof do not stand in a line with tenants'.
func TestWhoQueues(t *testing.T) {
	v := New(rules.Platform{SystemNamespace: "kora-system"})
	for namespace, waits := range map[string]bool{"": false, "kora-system": false, "kora-tenant-a": true, "default": true} {
		if got := v.queues(admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{Namespace: namespace}}); got != waits {
			t.Errorf("%q: %v", namespace, got)
		}
	}
}

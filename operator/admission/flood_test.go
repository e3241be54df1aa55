package admission

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/runkora/kora/operator/admission/gate"
	"github.com/runkora/kora/operator/admission/gate/gatetest"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/certificates"
	"github.com/runkora/kora/operator/rules"
)

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
		w := &gatetest.World{Slow: "kora-tenant-evil"}
		v := New(rules.Platform{SystemNamespace: "kora-system"})
		v.cached, v.direct = w, w
		const many = 500
		answers := make(chan int32, many)
		for range many {
			go func() {
				r := v.Handle(t.Context(), image(w.Slow, wanted))
				if !strings.Contains(r.Result.Message, "try again") {
					t.Errorf("%+v", r.Result)
				}
				answers <- r.Result.Code
			}()
		}
		synctest.Wait()
		if n, most := int(w.Stuck.Load()), gate.Default().Each; n != most {
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

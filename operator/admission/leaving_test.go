package admission_test

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/certificates/webhooktest"
)

// R51, R54: what somebody's finalizer holds in its deletion is judged as any other where its
// spec changes, or it could grow beyond every bound; its finalizers always go.
func TestWhatIsHeldInDeletionIsJudged(t *testing.T) {
	h := webhooktest.New(t)
	h.Up(t)
	o := &v1alpha1.ModelProvider{ObjectMeta: metav1.ObjectMeta{Namespace: namespace(t, h, "leaving"), Name: "held", Finalizers: []string{"example.com/held"}},
		Spec: v1alpha1.ModelProviderSpec{Type: v1alpha1.ProviderAnthropic, Endpoint: "https://models.example.com", Models: []v1alpha1.Model{{Name: "m"}},
			SecretRef: &v1alpha1.SecretKeyReference{LocalReference: v1alpha1.LocalReference{Name: "s"}, Key: "key"}}}
	if err := h.Admin.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if err := h.Admin.Delete(t.Context(), o.DeepCopy()); err != nil {
		t.Fatal(err)
	}
	patch := func(text string) error {
		return h.Admin.Patch(t.Context(), o.DeepCopy(), client.RawPatch(types.MergePatchType, []byte(text)))
	}
	if err := patch(`{"spec":{"endpoint":"https://models.example.com:99999"}}`); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "ports end at 65535") {
		t.Errorf("a wrong endpoint: %v", err)
	}
	if err := patch(`{"spec":{"endpoint":"https://models.example.com:8443"}}`); err != nil {
		t.Errorf("a right one: %v", err)
	}
	if err := patch(`{"metadata":{"finalizers":null}}`); err != nil {
		t.Errorf("without its finalizer: %v", err)
	}
	if err := h.Admin.Get(t.Context(), client.ObjectKeyFromObject(o), o); !apierrors.IsNotFound(err) {
		t.Errorf("it is there: %v", err)
	}
}

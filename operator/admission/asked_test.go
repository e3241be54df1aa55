package admission

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
)

// home is an API server with one tenant and a namespace full of things, which counts
// what it is asked of that.
type home struct {
	client.Reader
	uid   types.UID
	lists int
}

func (h *home) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	switch o := into.(type) {
	case *v1alpha1.KoraTenant:
		if o.Name, o.UID = key.Name, h.uid; key.Name != "a" {
			return apierrors.NewNotFound(v1alpha1.GroupVersion.WithResource("koratenants").GroupResource(), key.Name)
		}
	case *corev1.Namespace:
		o.Name, o.UID = key.Name, "home"
	}
	return nil
}

func (h *home) List(_ context.Context, into client.ObjectList, _ ...client.ListOption) error {
	h.lists++
	if list, is := into.(*metav1.PartialObjectMetadataList); is {
		list.Items = append(list.Items, metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "planted-secret-name"}})
	}
	return nil
}

// R50: a webhook is answered to whoever reaches it, and so what lives in a tenant is told
// to none but who has read it: nothing is looked up for another.
func TestNothingIsToldOfATenantThatNobodyRead(t *testing.T) {
	for _, c := range []struct {
		name string
		uid  types.UID
		told bool
	}{{"a", "1", true}, {"a", "", false}, {"a", "2", false}, {"b", "1", false}} {
		h := &home{uid: "1"}
		v := New(rules.Platform{SystemNamespace: "kora-system"})
		v.cached, v.direct = h, h
		o := v1alpha1.KoraTenant{ObjectMeta: metav1.ObjectMeta{Name: c.name, UID: c.uid, Annotations: map[string]string{v1alpha1.AnnotationNamespaceUID: "home"}}}
		raw, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		r := v.Handle(t.Context(), admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{Operation: admissionv1.Delete, Name: c.name,
			Kind: metav1.GroupVersionKind{Group: v1alpha1.Group, Version: "v1alpha1", Kind: "KoraTenant"}, OldObject: runtime.RawExtension{Raw: raw}}})
		told := strings.Contains(r.Result.Message, "planted-secret-name")
		if r.Allowed || told != c.told || (h.lists > 0) != c.told {
			t.Errorf("%s %q: allowed %v, asked %d times, says %q", c.name, c.uid, r.Allowed, h.lists, r.Result.Message)
		}
	}
}

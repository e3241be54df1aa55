package admission

import (
	"context"
	"encoding/json"
	"net/http"
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
	mark  string
	lists int
}

func (h *home) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	switch o := into.(type) {
	case *v1alpha1.KoraTenant:
		o.Annotations = map[string]string{v1alpha1.AnnotationMark: h.mark}
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

// R50, R54: a webhook is answered to whoever reaches it, and so what lives in a tenant is
// told to none but who has read the tenant itself: its UID stands on the namespace too. A
// tenant without a mark is told of to nobody, and goes by nobody's word.
func TestNothingIsToldOfATenantThatNobodyRead(t *testing.T) {
	for _, c := range []struct {
		name        string
		uid         types.UID
		shown, mark string // of the review, and of the tenant
		home        string
		code        int32
	}{
		{"a", "1", "v1:m", "v1:m", "home", http.StatusForbidden},
		{"a", "1", "", "v1:m", "home", http.StatusServiceUnavailable},
		{"a", "1", "v1:o", "v1:m", "home", http.StatusServiceUnavailable},
		{"a", "1", "", "", "home", http.StatusServiceUnavailable},
		{"a", "1", "v1:m", "", "home", http.StatusServiceUnavailable},
		{"a", "1", "", "", "another", http.StatusOK},
		{"a", "1", "v1:m", "v1:m", "another", http.StatusOK},
		{"a", "", "v1:m", "v1:m", "home", http.StatusForbidden},
		{"a", "2", "v1:m", "v1:m", "home", http.StatusForbidden},
		{"b", "1", "v1:m", "v1:m", "home", http.StatusForbidden},
	} {
		h := &home{uid: "1", mark: c.mark}
		v := New(rules.Platform{SystemNamespace: "kora-system"})
		v.cached, v.direct = h, h
		o := v1alpha1.KoraTenant{ObjectMeta: metav1.ObjectMeta{Name: c.name, UID: c.uid, Annotations: map[string]string{
			v1alpha1.AnnotationNamespaceUID: c.home, v1alpha1.AnnotationMark: c.shown}}}
		raw, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		r := v.Handle(t.Context(), admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{Operation: admissionv1.Delete, Name: c.name,
			Kind: metav1.GroupVersionKind{Group: v1alpha1.Group, Version: "v1alpha1", Kind: "KoraTenant"}, OldObject: runtime.RawExtension{Raw: raw}}})
		read := c.name == "a" && c.uid == "1" && c.shown == "v1:m" && c.mark == "v1:m" && c.home == "home"
		told := strings.Contains(r.Result.Message, "planted-secret-name") || strings.Contains(r.Result.Message, v1alpha1.AnnotationConfirmDeletion)
		if r.Allowed != (c.code == http.StatusOK) || r.Result.Code != c.code || told != read || (h.lists > 0) != read {
			t.Errorf("%+v: allowed %v, asked %d times, says %d %q", c, r.Allowed, h.lists, r.Result.Code, r.Result.Message)
		}
		if c.code == http.StatusServiceUnavailable && (r.Result.Details.RetryAfterSeconds == 0 || !strings.Contains(r.Result.Message, "try again in a moment")) {
			t.Errorf("%+v: nobody is told what to do: %+v", c, r.Result)
		}
	}
}

package admission_test

import (
	"context"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/certificates/webhooktest"
	"github.com/runkora/kora/operator/operatortest"
)

// R50, R54: a namespace with all labels of a tenant's is none, without a KoraTenant and
// beside one whose namespace it is not.
func TestForgedNamespacesAreNoTenants(t *testing.T) {
	h := webhooktest.New(t)
	h.Up(t)
	for name, uid := range map[string]string{"nobodys": "", "anothers": "of-another"} {
		name = operatortest.Unique(name)
		n := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: v1alpha1.TenantNamespace(name), Labels: map[string]string{
			v1alpha1.LabelTenant: name, v1alpha1.LabelManagedBy: v1alpha1.Operator}, Annotations: map[string]string{v1alpha1.AnnotationTenantUID: "retained"}}}
		if err := h.Admin.Create(t.Context(), n); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = h.Admin.Delete(context.Background(), n) })
		if uid != "" {
			o := object[v1alpha1.KoraTenant](t, "", name, `{oidc: {issuer: "https://login.example.com", clientID: kora}}`)
			o.Annotations = map[string]string{v1alpha1.AnnotationNamespaceUID: uid}
			if err := h.Admin.Create(t.Context(), o); err != nil {
				t.Fatal(err)
			}
		}
		c := object[v1alpha1.Connection](t, n.Name, "c", `{hosts: [api.example.com], authentication: {type: none}}`)
		if err := h.Admin.Create(t.Context(), c); err == nil || !strings.Contains(err.Error(), "metadata.namespace") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

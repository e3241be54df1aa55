package manager_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/rules"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R50, R54: whatever a tenant's people write beside a spec takes no memory of the
// operator's, and neither does the history of any object.
func TestCachesHoldWhatIsRead(t *testing.T) {
	w := operatortest.New(t, nil)
	run := w.Start(t)
	var owner []metav1.OwnerReference
	for _, o := range heavy() {
		o.SetOwnerReferences(owner) // the tenant's, which is there
		if err := w.Admin.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = w.Admin.Delete(context.Background(), o) })
		is := o.DeepCopyObject().(client.Object)
		operatortest.Eventually(t, func() error {
			return run.Manager.GetClient().Get(t.Context(), client.ObjectKeyFromObject(o), is)
		})
		if owner == nil {
			owner = []metav1.OwnerReference{{APIVersion: v1alpha1.GroupVersion.String(), Kind: "KoraTenant", Name: o.GetName(), UID: o.GetUID()}}
		}
		if is.GetManagedFields() != nil {
			t.Errorf("%T: who wrote which field is kept", o)
		}
		kora, ofTenants := is.(v1alpha1.Object)
		if ofTenants && rules.KindOf(kora) == "KoraTenant" {
			ofTenants = false
		}
		if _, held := is.GetAnnotations()[corev1.LastAppliedConfigAnnotation]; held || (ofTenants || isService(is)) && fmt.Sprint(is.GetAnnotations(), is.GetLabels(), is.GetOwnerReferences(), is.GetFinalizers()) != kept(ofTenants) {
			t.Errorf("%T: %.200v %.200v %.200v %.200v", o, is.GetAnnotations(), is.GetLabels(), is.GetOwnerReferences(), is.GetFinalizers())
		}
	}
}

func isService(o client.Object) bool { _, is := o.(*corev1.Service); return is }

// kept is what stays of the metadata: of a Service nothing.
func kept(ofTenants bool) string {
	if !ofTenants {
		return "map[] map[] [] []"
	}
	return "map[] map[runkora.io/bundled:x] [] []"
}

// heavy is an object of each kind that more is written of than is read.
func heavy() []client.Object {
	auth := v1alpha1.Authentication{Type: v1alpha1.AuthenticationNone}
	all := []client.Object{
		&v1alpha1.KoraTenant{Spec: v1alpha1.KoraTenantSpec{OIDC: v1alpha1.TenantOIDC{Issuer: "https://login.example.com", ClientID: "kora"}}},
		&v1alpha1.Connection{Spec: v1alpha1.ConnectionSpec{Hosts: []v1alpha1.Host{"api.example.com"}, Authentication: auth}},
		&v1alpha1.OAuthClient{Spec: v1alpha1.OAuthClientSpec{GrantTypes: []v1alpha1.GrantType{v1alpha1.GrantAuthorizationCode}, RedirectURIs: []v1alpha1.RedirectURI{"https://a.example.com/"}, Public: true}},
		&v1alpha1.MCPServer{Spec: v1alpha1.MCPServerSpec{URL: "https://mcp.example.com/"}},
		&v1alpha1.ModelProvider{Spec: v1alpha1.ModelProviderSpec{Type: v1alpha1.ProviderBedrock, Endpoint: "https://models.example.com", Models: []v1alpha1.Model{{Name: "m"}}}},
		&v1alpha1.SandboxImage{Spec: v1alpha1.SandboxImageSpec{Image: "ghcr.io/team/image:1"}},
		&corev1.Service{Spec: corev1.ServiceSpec{Selector: map[string]string{strings.Repeat("s", 63): "x"}, Ports: []corev1.ServicePort{{Port: 80}}}},
		&corev1.ConfigMap{},
	}
	for i, o := range all {
		if o.SetName(fmt.Sprintf("heavy-%d", i)); i > 0 {
			o.SetNamespace(operatortest.System)
		}
		o.SetAnnotations(map[string]string{corev1.LastAppliedConfigAnnotation: "{}", "example.com/large": strings.Repeat("x", 100<<10), v1alpha1.AnnotationMark: strings.Repeat("x", 100<<10)})
		labels := map[string]string{v1alpha1.LabelBundled: "x"}
		for n := range 500 {
			labels[fmt.Sprintf("example.com/l%d", n)] = strings.Repeat("y", 63)
		}
		o.SetLabels(labels)
	}
	return all
}

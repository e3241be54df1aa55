package admission

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/runkora/kora/operator/admission/gate/gatetest"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
)

// asks is a request for an object, in the place of old where that is one.
func asks(t *testing.T, o, old v1alpha1.Object) admission.Request {
	t.Helper()
	r := admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{Namespace: o.GetNamespace(), Name: o.GetName(), Operation: admissionv1.Create,
		Kind: metav1.GroupVersionKind{Group: v1alpha1.Group, Version: "v1alpha1", Kind: rules.KindOf(o)}}}
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Object = (runtime.RawExtension{Raw: text}); old != nil {
		r.Operation = admissionv1.Update
		if r.OldObject.Raw, err = json.Marshal(old); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// each is a valid resource of every kind that a tenant's people make.
func each(namespace, name string) []v1alpha1.Object {
	all := []v1alpha1.Object{
		&v1alpha1.Connection{Spec: v1alpha1.ConnectionSpec{Hosts: []v1alpha1.Host{"api.example.com"}, Authentication: v1alpha1.Authentication{Type: v1alpha1.AuthenticationNone}}},
		&v1alpha1.OAuthClient{Spec: v1alpha1.OAuthClientSpec{GrantTypes: []v1alpha1.GrantType{v1alpha1.GrantAuthorizationCode}, RedirectURIs: []v1alpha1.RedirectURI{"https://a.example.com/"}, Public: true}},
		&v1alpha1.MCPServer{Spec: v1alpha1.MCPServerSpec{URL: "https://mcp.example.com/"}},
		&v1alpha1.ModelProvider{Spec: v1alpha1.ModelProviderSpec{Type: v1alpha1.ProviderBedrock, Endpoint: "https://models.example.com", Models: []v1alpha1.Model{{Name: "m"}}}},
		&v1alpha1.SandboxImage{Spec: v1alpha1.SandboxImageSpec{Image: "ghcr.io/team/image:1", Description: "what it is"}},
	}
	for _, o := range all {
		o.SetNamespace(namespace)
		o.SetName(name)
	}
	return all
}

// R51, R52, R54: what a tenant's people have of a kind is bounded, whatever the kind;
// what does not grow always passes, an image that the operator provides too, and so does
// all of another tenant.
func TestOneTenantsResourcesOfAKindAreBounded(t *testing.T) {
	v := New(rules.Platform{SystemNamespace: "kora-system", Bundled: []string{"kora-base"}})
	v.cached, v.direct = &gatetest.World{}, &gatetest.World{}
	for i, o := range each("kora-tenant-evil", "x") {
		kind := rules.KindOf(o)
		for n := range rules.Share / rules.Size(o) { // the cache is full of them
			one := o.DeepCopyObject().(v1alpha1.Object)
			one.SetName(fmt.Sprintf("%c", 'a'+n%26))
			v.held.OnAdd(one, true)
		}
		r := v.Handle(t.Context(), asks(t, o, nil))
		if r.Allowed || r.Result.Code != http.StatusUnprocessableEntity || len(r.Result.Details.Causes) != 1 || r.Result.Details.Causes[0].Field != "spec" {
			t.Fatalf("%s: %+v", kind, r.Result)
		}
		for _, part := range []string{kind + " x: spec would take", "one tenant has 2097152 bytes", "the kind " + kind, "in kora-tenant-evil take 209", "delete or shrink some of them first"} {
			if !strings.Contains(r.Result.Message, part) {
				t.Errorf("%s: %q lacks %q", kind, r.Result.Message, part)
			}
		}
		if other := each("kora-tenant-good", "x")[i]; !v.Handle(t.Context(), asks(t, other, nil)).Allowed {
			t.Errorf("%s: another tenant's is refused", kind)
		}
		old := o.DeepCopyObject().(v1alpha1.Object)
		old.SetName("y")
		switch o := old.(type) { // as large, or larger
		case *v1alpha1.Connection:
			o.Spec.Hosts = append(o.Spec.Hosts, "b.example.com")
		case *v1alpha1.OAuthClient:
			o.Spec.RedirectURIs[0] = "https://b.example.com/"
		case *v1alpha1.MCPServer:
			o.Spec.URL = "https://mcp.example.org/"
		case *v1alpha1.ModelProvider:
			o.Spec.Endpoint = "https://larger-models.example.com"
		case *v1alpha1.SandboxImage:
			o.Spec.Description = "what it is, at length"
		}
		now := o.DeepCopyObject().(v1alpha1.Object)
		now.SetName("y")
		if r := v.Handle(t.Context(), asks(t, now, old)); !r.Allowed {
			t.Errorf("%s: what does not grow: %+v", kind, r.Result)
		}
		if gone := (admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{Namespace: "kora-tenant-evil", Operation: admissionv1.Delete, Kind: asks(t, o, nil).Kind, OldObject: asks(t, o, nil).Object}}); !v.Handle(t.Context(), gone).Allowed {
			t.Errorf("%s: a deletion is refused", kind)
		}
	}
	base := each("kora-tenant-evil", "kora-base")
	if r := v.Handle(t.Context(), asks(t, base[4], nil)); !r.Allowed {
		t.Errorf("an image that the operator provides: %+v", r.Result)
	}
	if r := v.Handle(t.Context(), asks(t, base[0], nil)); r.Allowed {
		t.Error("a Connection passes by an image's name")
	}
}

package rules

import (
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// R50: the table of kinds has every kind of the API, and each row is of its own kind.
func TestTheTableHasEveryKind(t *testing.T) {
	all := map[string]v1alpha1.Object{
		"KoraTenant":    &v1alpha1.KoraTenant{Spec: v1alpha1.KoraTenantSpec{DisplayName: "x"}},
		"Connection":    &v1alpha1.Connection{Spec: v1alpha1.ConnectionSpec{Hosts: []v1alpha1.Host{"x.example.com"}}},
		"OAuthClient":   &v1alpha1.OAuthClient{Spec: v1alpha1.OAuthClientSpec{Public: true}},
		"MCPServer":     &v1alpha1.MCPServer{Spec: v1alpha1.MCPServerSpec{URL: "https://x.example.com"}},
		"ModelProvider": &v1alpha1.ModelProvider{Spec: v1alpha1.ModelProviderSpec{Endpoint: "https://x.example.com"}},
		"SandboxImage":  &v1alpha1.SandboxImage{Spec: v1alpha1.SandboxImageSpec{Image: "x"}},
	}
	if len(kinds) != len(all) {
		t.Errorf("%d rows for %d kinds", len(kinds), len(all))
	}
	for name, o := range all {
		blank := Blank(name)
		if blank == nil || KindOf(o) != name || KindOf(blank) != name {
			t.Fatalf("%s is %T and %q", name, blank, KindOf(o))
		}
		o.Common().ObservedGeneration = 7
		if equality.Semantic.DeepEqual(Spec(o), Spec(blank)) || equality.Semantic.DeepEqual(Status(o), Status(blank)) {
			t.Errorf("%s: the spec or the status is not of the object", name)
		}
	}
	if o := Blank("Pod"); o != nil {
		t.Errorf("%T", o)
	}
}

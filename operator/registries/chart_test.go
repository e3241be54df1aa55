package registries_test

import (
	"testing"

	"github.com/runkora/kora/operator/operatortest"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// R51: in the chart, each kind of registry has a service that may read it, with a
// token to ask the Kubernetes API.
func TestServicesMayReadTheRegistries(t *testing.T) {
	tokens, readers := map[string]bool{}, map[string]bool{}
	for _, o := range operatortest.Rendered(t, nil, "Deployment", "RoleBinding") {
		if o.GetKind() == "Deployment" {
			token, _, _ := unstructured.NestedBool(o.Object, "spec", "template", "spec", "automountServiceAccountToken")
			account, _, _ := unstructured.NestedString(o.Object, "spec", "template", "spec", "serviceAccountName")
			tokens[account] = token
		}
		if o.GetName() == "kora-registries" {
			subjects, _, _ := unstructured.NestedSlice(o.Object, "subjects")
			for _, s := range subjects {
				readers[s.(map[string]any)["name"].(string)] = true
			}
		}
	}
	for kind, service := range map[string]string{"connection": "kora-egress", "oauthclient": "kora-identity", "mcpserver": "kora-mcp", "modelprovider": "kora-inference"} {
		if !readers[service] || !tokens[service] {
			t.Errorf("%s: %s reads %v, token %v", kind, service, readers[service], tokens[service])
		}
	}
}

package v1alpha1_test

import (
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

const modelProvider = `
apiVersion: runkora.io/v1alpha1
kind: ModelProvider
metadata: { name: anthropic }
spec:
  type: anthropic
  endpoint: https://api.anthropic.com
  models: [{ name: claude-sonnet-4-5 }, { name: claude-opus-4-1, weight: 20 }]
  secretRef: { name: anthropic, key: api-key }
`

// R51, R26.
func TestModelProviderRules(t *testing.T) {
	try(t, v1alpha1.ModelProviders, modelProvider, []rule{
		{"as it is", ``, ""},
		{"one of one's own, without a key", `spec: { type: openai-compatible, endpoint: "https://models.example.com:8443/v1", secretRef: null }`, ""},
		{"an unknown type", `spec: { type: skynet }`, `spec.type: Unsupported value: "skynet"`},
		{"no type", `spec: { type: null }`, "spec.type: Required value"},
		{"a key that is needed", `spec: { secretRef: null }`, "spec.secretRef: Required value: secretRef is required for type anthropic, openai and azure-openai"},
		{"a secret of another namespace", `spec: { secretRef: { namespace: other } }`, `unknown field "spec.secretRef.namespace"`},

		{"http", `spec: { endpoint: "http://api.anthropic.com" }`, "spec.endpoint: Invalid value: …endpoint must be an https URL"},
		{"a host alone", `spec: { endpoint: api.anthropic.com }`, "endpoint must be an https URL"},
		{"a query", `spec: { endpoint: "https://api.anthropic.com/?key=a" }`, "without user, query and fragment"},
		{"an address", `spec: { endpoint: "https://169.254.169.254/latest" }`, "with a DNS name as its host"},
		{"a Service", `spec: { endpoint: "https://vllm.models.svc/v1" }`, "endpoint must be outside the cluster"},
		{"localhost", `spec: { endpoint: "https://a.localhost:8443" }`, "endpoint must be outside the cluster"},

		{"no models", `spec: { models: [] }`, "spec.models"},
		{"a model twice", `spec: { models: [{ name: a }, { name: a, weight: 3 }] }`, "Duplicate value"},
		{"weight 0", `spec: { models: [{ name: a, weight: 0 }] }`, ""},
		{"weight 101", `spec: { models: [{ name: a, weight: 101 }] }`, "should be less than or equal to 100"},
		{"weight -1", `spec: { models: [{ name: a, weight: -1 }] }`, "should be greater than or equal to 0"},
		{"a model of many signs", `spec: { models: [{ name: "anthropic.claude-sonnet-4-5-20250929-v1:0" }, { name: meta-llama/Llama-3.3 }] }`, ""},
		{"a model with a space", `spec: { models: [{ name: "a b" }] }`, "name must be a model's name at the provider"},
	})
}

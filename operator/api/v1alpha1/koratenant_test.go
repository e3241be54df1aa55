package v1alpha1_test

import (
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

const tenant = `
apiVersion: runkora.io/v1alpha1
kind: KoraTenant
metadata: { name: data }
spec:
  displayName: Data Platform
  oidc:
    issuer: https://login.example.com/realms/data
    clientID: kora
    clientSecretRef: { name: data-oidc, key: client-secret }
    domains: [example.com, data.example.org]
  imagePullSecrets: [{ name: kora-registry }]
`

// R50, deploying-kora: OIDC federation; security.md: tenants.
func TestKoraTenantRules(t *testing.T) {
	try(t, v1alpha1.KoraTenants, tenant, []rule{
		{"as it is", ``, ""},
		{"the least", `spec: { displayName: null, imagePullSecrets: null, oidc: { clientSecretRef: null, domains: null } }`, ""},
		{"called kora, as in the documents", `metadata: { name: kora }`, ""},
		{"the longest name", `metadata: { name: ` + strings.Repeat("a", v1alpha1.MaxTenantName) + ` }`, ""},
		{"a name too long", `metadata: { name: ` + strings.Repeat("a", v1alpha1.MaxTenantName+1) + ` }`, "must be a DNS label of at most 51 characters"},
		{"a name with a dot", `metadata: { name: data.team }`, "metadata.name must be a DNS label"},
		{"reserved: default", `metadata: { name: default }`, "metadata.name is reserved: 'default', 'system' and names that begin with"},
		{"reserved: system", `metadata: { name: system }`, "choose another name"},
		{"reserved: kube-system", `metadata: { name: kube-system }`, "metadata.name is reserved"},
		{"reserved: kora-system", `metadata: { name: kora-system }`, "metadata.name is reserved"},
		{"reserved: kora-tenant-data", `metadata: { name: kora-tenant-data }`, "metadata.name is reserved"},
		{"reserved: istio-system", `metadata: { name: istio-system }`, "metadata.name is reserved"},
		{"reserved: spire-server", `metadata: { name: spire-server }`, "metadata.name is reserved"},
		{"only begins like a reserved one", `metadata: { name: korax }`, ""},

		{"no spec", `spec: null`, "spec: Required value"},
		{"no oidc", `spec: { oidc: null }`, "spec.oidc: Required value"},
		{"a display name in letters of any script", `spec: { displayName: "Équipe données 数据 (R&D)" }`, ""},
		{"a display name with a bidi override", `spec: { displayName: "Data\u202ematrof" }`, "displayName must be one line without control or invisible characters"},
		{"a display name with an ideographic space", `spec: { displayName: "\u5c71\u7530\u3000\u592a\u90ce" }`, ""},
		{"a display name with accents and vowel signs", `spec: { displayName: "e\u0301quipe \u0921\u093e\u091f\u093e" }`, ""},
		{"a display name of a filler alone", `spec: { displayName: "\u3164" }`, "displayName must be one line without control or invisible characters, fillers"},
		{"a display name of two letters", `spec: { displayName: "ab" }`, ""},
		{"a display name of one letter", `spec: { displayName: "a" }`, ""},
		{"a display name with a space at its end", `spec: { displayName: "Data " }`, "without spaces at its ends"},
		{"a display name of 64", `spec: { displayName: ` + strings.Repeat("a", 64) + ` }`, "spec.displayName: Too long"},

		{"an http issuer", `spec: { oidc: { issuer: "http://login.example.com" } }`, "spec.oidc.issuer: Invalid value: …issuer must be an https URL"},
		{"an issuer with a port", `spec: { oidc: { issuer: "https://login.example.com:8443/" } }`, ""},
		{"an issuer with a query", `spec: { oidc: { issuer: "https://login.example.com/?a=b" } }`, "without user, query and fragment"},
		{"an issuer with a fragment", `spec: { oidc: { issuer: "https://login.example.com/#a" } }`, "issuer must be an https URL"},
		{"an issuer with a user", `spec: { oidc: { issuer: "https://me:secret@login.example.com/" } }`, "issuer must be an https URL"},
		{"an issuer in the cluster", `spec: { oidc: { issuer: "https://dex.kora-system.svc.cluster.local:5556/dex" } }`, "spec.oidc.issuer: Invalid value: …issuer must be outside the cluster"},
		{"an issuer of a Service", `spec: { oidc: { issuer: "https://dex.kora-system.svc" } }`, "issuer must be outside the cluster"},
		{"an issuer that only begins so", `spec: { oidc: { issuer: "https://a.svc.example.com/x.svc" } }`, ""},
		{"an issuer of an address", `spec: { oidc: { issuer: "https://169.254.169.254/" } }`, "with a DNS name as its host"},
		{"an issuer with a line break", `spec: { oidc: { issuer: "https://login.example.com/\n" } }`, "issuer must be an https URL"},
		{"a client id with a space", `spec: { oidc: { clientID: "a b" } }`, "clientID must be printable ASCII without spaces"},
		{"no client id", `spec: { oidc: { clientID: "" } }`, "spec.oidc.clientID"},

		{"a secret of another namespace", `spec: { oidc: { clientSecretRef: { namespace: other } } }`, `unknown field "spec.oidc.clientSecretRef.namespace"`},
		{"a secret's name with a namespace in it", `spec: { oidc: { clientSecretRef: { name: other/data-oidc } } }`, "it names no namespace"},
		{"a secret without a key", `spec: { oidc: { clientSecretRef: { key: null } } }`, "spec.oidc.clientSecretRef.key: Required value"},
		{"a key that no Secret has", `spec: { oidc: { clientSecretRef: { key: "a b" } } }`, "key must be a key of a Secret"},

		{"a domain in capitals", `spec: { oidc: { domains: [Example.com] } }`, "spec.oidc.domains[0]: Invalid value: …domains takes lower-case DNS names"},
		{"a domain with a wildcard", `spec: { oidc: { domains: ["*.example.com"] } }`, "leave out '@', wildcards"},
		{"a domain of one label", `spec: { oidc: { domains: [localhost] } }`, "domains takes lower-case DNS names"},
		{"an email address", `spec: { oidc: { domains: [me@example.com] } }`, "leave out '@'"},
		{"a domain twice", `spec: { oidc: { domains: [example.com, example.com] } }`, "Duplicate value"},
		{"an empty list of domains", `spec: { oidc: { domains: [] } }`, "spec.oidc.domains"},

		{"a pull secret twice", `spec: { imagePullSecrets: [{ name: a }, { name: a }] }`, "Duplicate value"},
		{"deletion: Delete", `spec: { deletionPolicy: Delete }`, ""},
		{"deletion: something else", `spec: { deletionPolicy: Orphan }`, `supported values: "Retain", "Delete"`},
		{"a field that is none", `spec: { isolation: strong }`, `unknown field "spec.isolation"`},
	})
}

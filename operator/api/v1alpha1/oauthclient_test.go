package v1alpha1_test

import (
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

const oauthClient = `
apiVersion: runkora.io/v1alpha1
kind: OAuthClient
metadata: { name: dashboard }
spec:
  redirectURIs: ["https://app.example.com/callback"]
  grantTypes: [authorization_code, refresh_token]
  scopes: [agents:read]
  secretRef: { name: dashboard, key: client-secret }
`

// redirect gives a change to the one redirect URI.
func redirect(uri string) string { return `spec: { redirectURIs: ["` + uri + `"] }` }

// R51.
func TestOAuthClientRules(t *testing.T) {
	try(t, v1alpha1.OAuthClients, oauthClient, []rule{
		{"as it is", ``, ""},
		{"public", `spec: { public: true, secretRef: null }`, ""},
		{"a machine", `spec: { redirectURIs: null, grantTypes: [client_credentials] }`, ""},

		{"public and a secret", `spec: { public: true }`, "spec: Invalid value: …exactly one of public: true and secretRef is required"},
		{"neither", `spec: { secretRef: null }`, "exactly one of public: true and secretRef is required"},
		{"not public and no secret", `spec: { public: false, secretRef: null }`, "exactly one of public: true and secretRef is required"},
		{"not public and a secret", `spec: { public: false }`, ""},
		{"a public machine", `spec: { public: true, secretRef: null, redirectURIs: null, grantTypes: [client_credentials] }`, "client_credentials is only for a client with a secret"},
		{"a secret without a key", `spec: { secretRef: { key: null } }`, "spec.secretRef.key: Required value"},
		{"a secret of another namespace", `spec: { secretRef: { namespace: other } }`, `unknown field "spec.secretRef.namespace"`},

		{"http", redirect("http://app.example.com/callback"), "spec.redirectURIs[0]: Invalid value: …redirectURIs takes https URLs"},
		{"http on loopback", redirect("http://127.0.0.1:8080/callback"), "for loopback addresses too"},
		{"another scheme", redirect("com.example.app:/callback"), "redirectURIs takes https URLs"},
		{"a script", redirect("javascript:alert(1)"), "redirectURIs takes https URLs"},
		{"a fragment", redirect("https://app.example.com/callback#a"), "redirectURIs takes no fragment and no wildcard"},
		{"a wildcard host", redirect("https://*.example.com/callback"), "redirectURIs takes no fragment and no wildcard"},
		{"a wildcard path", redirect("https://app.example.com/*"), "redirectURIs takes no fragment and no wildcard"},
		{"a user", redirect("https://app.example.com@evil.example/"), "with a lower-case DNS name as host and without user"},
		{"a backslash", redirect(`https://app.example.com\\@evil.example/`), "without user"},
		{"a path that climbs", redirect("https://app.example.com/a/../b"), "redirectURIs takes no '.' and '..' segments"},
		{"a query and a port", redirect("https://app.example.com:8443/callback?client=a"), ""},
		{"a redirect twice", `spec: { redirectURIs: ["https://a.example.com/", "https://a.example.com/"] }`, "Duplicate value"},
		{"a code without a redirect", `spec: { redirectURIs: null }`, "spec.redirectURIs: Required value: redirectURIs is required for the grant authorization_code"},
		{"a redirect without a code", `spec: { grantTypes: [client_credentials] }`, "spec.redirectURIs: Forbidden: redirectURIs is only for the grant authorization_code"},

		{"no grants", `spec: { grantTypes: null }`, "spec.grantTypes: Required value"},
		{"the password grant", `spec: { grantTypes: [password] }`, `supported values: "authorization_code", "refresh_token", "client_credentials"`},
		{"a refresh token from nothing", `spec: { redirectURIs: null, grantTypes: [refresh_token] }`, "refresh_token goes with authorization_code"},
		{"two scopes in one", `spec: { scopes: ["agents:read agents:write"] }`, "write each scope as an entry of its own"},
	})
}

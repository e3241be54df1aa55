package v1alpha1_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

const connection = `
apiVersion: runkora.io/v1alpha1
kind: Connection
metadata: { name: github }
spec:
  displayName: GitHub
  hosts: [api.github.com, "*.githubusercontent.com"]
  authentication:
    type: bearer
    secretRef: { name: github, key: token }
  allowedMethods: [GET, POST]
  allowedPaths: [/user, /repos/*]
`

// authentication gives a change to some of its fields.
func authentication(fields string) string {
	return "spec: { authentication: { " + fields + " } }"
}

// R51, security.md: a connection does not lead into the cluster.
func TestConnectionRules(t *testing.T) {
	long := strings.Repeat("a", 64)
	try(t, v1alpha1.Connections, connection, []rule{
		{"as it is", ``, ""},
		{"the least", `spec: { displayName: null, allowedMethods: null, allowedPaths: null, authentication: { type: none, secretRef: null } }`, ""},
		{"a name too long for what is made of it", `metadata: { name: ` + strings.Repeat("a", v1alpha1.MaxName+1) + ` }`, "metadata.name must be a DNS label of at most 50 characters"},
		{"a name with a dot", `metadata: { name: api.github }`, "metadata.name must be a DNS label"},

		{"no hosts", `spec: { hosts: [] }`, "spec.hosts: Invalid value"},
		{"a URL as host", `spec: { hosts: ["https://api.github.com"] }`, "spec.hosts[0]: Invalid value: …hosts takes lower-case DNS names"},
		{"a host with a port", `spec: { hosts: ["api.github.com:443"] }`, "leave out the scheme, port and path"},
		{"a host in capitals", `spec: { hosts: [API.github.com] }`, "hosts takes lower-case DNS names"},
		{"an address", `spec: { hosts: [169.254.169.254] }`, "an IP address"},
		{"everything", `spec: { hosts: ["*.*"] }`, "a lone '*' and a '*' elsewhere are refused"},
		{"a whole top-level domain", `spec: { hosts: ["*.com"] }`, "hosts takes lower-case DNS names"},
		{"a wildcard inside a label", `spec: { hosts: ["api*.github.com"] }`, "hosts takes lower-case DNS names"},
		{"a label of 64", fmt.Sprintf(`spec: { hosts: ["%s.com"] }`, long), "hosts takes lower-case DNS names"},
		{"a Service", `spec: { hosts: [kora-agents.kora-system.svc] }`, "hosts takes names outside the cluster"},
		{"a Service in full", `spec: { hosts: [kora-agents.kora-system.svc.cluster.local] }`, "hosts takes names outside the cluster"},
		{"all Services", `spec: { hosts: ["*.kora-system.svc"] }`, "for tools in the cluster use an MCPServer with serviceRef"},
		{"localhost", `spec: { hosts: [localhost] }`, "hosts takes lower-case DNS names"},
		{"a host twice", `spec: { hosts: [api.github.com, api.github.com] }`, "Duplicate value"},

		{"no authentication", `spec: { authentication: null }`, "spec.authentication: Required value"},
		{"an unknown type", authentication(`type: digest`), `supported values: "none", "bearer", "basic", "oauth2", "mtls"`},
		{"none with a secret", `spec: { authentication: { type: none } }`, "spec.authentication.secretRef: Forbidden: authentication.secretRef is not for type none"},
		{"bearer without a secret", authentication(`type: bearer, secretRef: null`), "spec.authentication.secretRef: Required value: authentication.secretRef is required"},
		{"bearer without a key", authentication(`type: bearer, secretRef: { name: a, key: null }`), "authentication.secretRef.key is required for type bearer and oauth2"},
		{"bearer with a header", authentication(`type: bearer, header: X-Api-Key, secretRef: { name: a, key: b }`), ""},
		{"a header with a colon", authentication(`type: bearer, header: "X-Api-Key:", secretRef: { name: a, key: b }`), "header must be an HTTP header's name"},
		{"a header with a line break", authentication(`type: bearer, header: "X-A\r\nHost", secretRef: { name: a, key: b }`), "header must be an HTTP header's name"},
		{"a header of the service", authentication(`type: bearer, header: Private-Token, secretRef: { name: a, key: b }`), ""},
		{"a header that begins like another", authentication(`type: bearer, header: Contents, secretRef: { name: a, key: b }`), ""},
		{"the header Host", authentication(`type: bearer, header: Host, secretRef: { name: a, key: b }`), "header must not be one by which a connection is kept"},
		{"a header of the proxy", authentication(`type: bearer, header: X-Forwarded-For, secretRef: { name: a, key: b }`), "header must not be one"},
		{"basic", `spec: { authentication: { type: basic, secretRef: { key: null } } }`, ""},
		{"basic with a key", authentication(`type: basic, secretRef: { name: a, key: b }`), "basic reads the keys username and password"},
		{"basic with a header", `spec: { authentication: { type: basic, header: X-A, secretRef: { key: null } } }`, "authentication.header is only for type bearer"},
		{"mtls", `spec: { authentication: { type: mtls, secretRef: { key: null } } }`, ""},
		{"mtls with scopes", `spec: { authentication: { type: mtls, scopes: [a], secretRef: { key: null } } }`, "authentication.scopes is only for type oauth2"},
		{"oauth2", authentication(`type: oauth2, tokenURL: "https://login.example.com/token?a=b", clientID: kora, scopes: [repo:read], secretRef: { name: a, key: b }`), ""},
		{"oauth2 without its token URL", authentication(`type: oauth2, clientID: kora, secretRef: { name: a, key: b }`), "spec.authentication.tokenURL: Required value"},
		{"oauth2 without its client", authentication(`type: oauth2, tokenURL: "https://login.example.com/token", secretRef: { name: a, key: b }`), "spec.authentication.clientID: Required value"},
		{"oauth2 by http", authentication(`type: oauth2, tokenURL: "http://login.example.com/token", clientID: kora, secretRef: { name: a, key: b }`), "tokenURL must be an https URL"},
		{"oauth2 in the cluster", authentication(`type: oauth2, tokenURL: "https://a.b.svc:443/token", clientID: kora, secretRef: { name: a, key: b }`), "tokenURL must be outside the cluster"},
		{"two scopes in one", authentication(`type: oauth2, tokenURL: "https://login.example.com/token", clientID: kora, scopes: ["a b"], secretRef: { name: a, key: b }`), "write each scope as an entry of its own"},
		{"bearer with a client", authentication(`type: bearer, clientID: kora, secretRef: { name: a, key: b }`), "authentication.clientID is only for type oauth2"},
		{"bearer with a token URL", authentication(`type: bearer, tokenURL: "https://login.example.com/token", secretRef: { name: a, key: b }`), "authentication.tokenURL is only for type oauth2"},
		{"a secret of another namespace", `spec: { authentication: { secretRef: { namespace: other } } }`, `unknown field "spec.authentication.secretRef.namespace"`},
		{"a secret in the spec", `spec: { authentication: { token: abc } }`, `unknown field "spec.authentication.token"`},

		{"a method in small letters", `spec: { allowedMethods: [get] }`, `supported values: "GET"`},
		{"the method CONNECT", `spec: { allowedMethods: [CONNECT] }`, "spec.allowedMethods[0]: Unsupported value"},
		{"a method twice", `spec: { allowedMethods: [GET, GET] }`, "Duplicate value"},
		{"no method at all", `spec: { allowedMethods: [] }`, "spec.allowedMethods"},
		{"every path", `spec: { allowedPaths: [/*] }`, ""},
		{"the root", `spec: { allowedPaths: [/] }`, ""},
		{"a path without its slash", `spec: { allowedPaths: [repos] }`, "spec.allowedPaths[0]: Invalid value: …allowedPaths takes paths that begin with '/'"},
		{"a path with a query", `spec: { allowedPaths: ["/a?b=c"] }`, "hold no query"},
		{"a path with an escape", `spec: { allowedPaths: ["/a%2fb"] }`, "'%'"},
		{"a path with an empty segment", `spec: { allowedPaths: [/a//b] }`, "empty segment"},
		{"a star in the middle", `spec: { allowedPaths: [/a/*/b] }`, "'*' may only be the last segment"},
		{"a path that climbs", `spec: { allowedPaths: [/repos/../admin] }`, "allowedPaths takes no '.' and '..' segments"},
	})
}

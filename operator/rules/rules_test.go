package rules

import (
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// a rule is tried on a spec: what Message says has all parts of want, with "…"
// between; empty: nothing is wrong.
type rule struct{ name, spec, want string }

func try[T any, P interface {
	*T
	v1alpha1.Object
}](t *testing.T, rules []rule) {
	t.Helper()
	for _, r := range rules {
		o := P(new(T))
		if err := yaml.UnmarshalStrict([]byte("metadata: {name: x}\nspec: "+r.spec), o); err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		check(t, r.name, Validate(o), r.want)
	}
}

func check(t *testing.T, name string, faults field.ErrorList, want string) {
	t.Helper()
	said := Message(faults)
	if want == "" && said != "" {
		t.Errorf("%s: refused: %s", name, said)
	}
	for part := range strings.SplitSeq(want, "…") {
		if !strings.Contains(said, part) {
			t.Errorf("%s: %q lacks %q", name, said, part)
		}
	}
}

// R51
func TestConnections(t *testing.T) {
	try[v1alpha1.Connection](t, []rule{
		{"a host", `{hosts: [api.github.com, "*.example.com"], authentication: {type: none}}`, ""},
		{"a wildcard below a public suffix", `{hosts: [a.b, "*.co.uk", "*.github.io"], authentication: {type: none}}`, `spec.hosts[1] "*.co.uk" stands for every name below co.uk…spec.hosts[2]`},
		{"a name below a public suffix", `{hosts: ["*.example.co.uk", team.github.io], authentication: {type: none}}`, ""},
		{"metadata of a cloud", `{hosts: [metadata.google.internal, "*.google.internal", "*.internal", x.eu-west-1.compute.internal], authentication: {type: none}}`,
			`spec.hosts[0] "metadata.google.internal" reaches…spec.hosts[1]…spec.hosts[2]…spec.hosts[3]`},
		{"a company's own names", `{hosts: [jira.corp.internal, google.internal.example.com], authentication: {type: none}}`, ""},
		{"a token URL", `{hosts: [a.b], authentication: {type: oauth2, tokenURL: "https://login.example.com:99999/%2e%2e/x?a=%zz"}}`, `spec.authentication.tokenURL "https://login.example.com:99999/%2e%2e/x?a=%zz" names the port 99999…'.' or '..' segment…query that cannot be read`},
		{"a token URL that cannot be read", `{hosts: [a.b], authentication: {type: oauth2, tokenURL: "https://a.b/%z"}}`, "no URL that can be read"},
	})
}

// R51
func TestOAuthClients(t *testing.T) {
	try[v1alpha1.OAuthClient](t, []rule{
		{"a URI", `{redirectURIs: ["https://app.example.com/callback?a=b"], grantTypes: []}`, ""},
		{"what kora answers", `{redirectURIs: ["https://a.b/?state=1", "https://a.b/?x=1&code=2"], grantTypes: []}`, `spec.redirectURIs[0]…"state" in its query…spec.redirectURIs[1]…"code"`},
		{"hidden segments", `{redirectURIs: ["https://a.b/%2E./x", "https://a.b/a%2f..%2fb", "https://a.b/..%5cx"], grantTypes: []}`, "spec.redirectURIs[0]…spec.redirectURIs[1]…spec.redirectURIs[2]"},
	})
}

// R51
func TestMCPServers(t *testing.T) {
	try[v1alpha1.MCPServer](t, []rule{
		{"a URL", `{url: "https://mcp.example.com:8443/v1"}`, ""},
		{"by a connection", `{url: "https://mcp.example.com/v1", connectionRef: {name: c}}`, ""},
		{"by a connection on another port", `{url: "https://mcp.example.com:8443/v1", connectionRef: {name: c}}`, "a Connection reaches its hosts on 443 alone"},
		{"by a connection on 443", `{url: "https://mcp.example.com:443/v1", connectionRef: {name: c}}`, ""},
		{"metadata", `{url: "https://metadata.google.internal/x"}`, "metadata service"},
		{"a service", `{serviceRef: {name: x, port: 80, path: /mcp}}`, ""},
		{"a service's paths", `{serviceRef: {name: x, port: 80, path: "/a/%2e%2e/b"}}`, `spec.serviceRef.path "/a/%2e%2e/b" has a`},
		{"a service's host in its path", `{serviceRef: {name: x, port: 80, path: "//evil.example.com/"}}`, "reads as a host"},
		{"a service's broken path", `{serviceRef: {name: x, port: 80, path: "/%"}}`, "cannot be read"},
	})
	s := &v1alpha1.MCPServer{Spec: v1alpha1.MCPServerSpec{URL: "https://mcp.example.com/v1"}}
	c := &v1alpha1.Connection{Spec: v1alpha1.ConnectionSpec{Hosts: []v1alpha1.Host{"*.example.com"}}}
	c.Name = "tools"
	check(t, "admitted", ConnectionOf(s, c), "")
	c.Spec.Hosts = []v1alpha1.Host{"example.com", "*.mcp.example.com", "mcp.example.com.evil.org"}
	check(t, "not admitted", ConnectionOf(s, c), `spec.connectionRef.name "tools" its hosts do not admit mcp.example.com`)
}

// R51
func TestModelProviders(t *testing.T) {
	try[v1alpha1.ModelProvider](t, []rule{
		{"an endpoint", `{type: openai, endpoint: "https://api.openai.com/v1", models: [{name: a}, {name: b}]}`, ""},
		{"a port", `{type: openai, endpoint: "https://api.openai.com:70000", models: [{name: a}]}`, `spec.endpoint "https://api.openai.com:70000" names the port 70000`},
		{"metadata", `{type: openai, endpoint: "https://metadata.google.internal", models: [{name: a}]}`, "metadata service"},
		{"capitals", `{type: openai, endpoint: "https://a.b", models: [{name: GPT}, {name: gpt}]}`, `spec.models[1].name "gpt" differs from GPT in capitals alone`},
	})
}

// R52
func TestSandboxImages(t *testing.T) {
	digest := "@sha256:" + strings.Repeat("a", 64)
	for image, want := range map[string]string{
		"ghcr.io/team/image:1.2.3": "", "registry:5000/x" + digest: "", "localhost:5000/x:1": "", "10.0.0.7:5000/x:1": "", "a.b/x:1" + digest: "",
		"a.b:70000/x:1": "names the port 70000", "169.254.169.254/x:1": "link-local", "0.0.0.0:80/x:1": "unspecified", "224.0.0.1/x:1": "multicast",
		"-a.example.com/x:1": "is no reference as the operator", "a-.example.com/x:1": "is no reference as the operator", "a..example.com/x:1": "is no reference as the operator", "a_b.example.com/x:1": "is no reference as the operator",
		"a.b/../x:1": "is no reference as the operator", "a.b/./x:1": "is no reference as the operator", "a.b/x//y:1": "is no reference as the operator", ".a.b/x:1": "is no reference as the operator", "GHCR.io/x:1": "in capitals",
		"metadata.google.internal/x:1": "metadata service", "METADATA.google.internal/x:1": "metadata service",
		"ghcr.io/" + strings.Repeat("a", 300) + ":1": "no reference that a registry takes", "ghcr.io/Team/x:1": "no reference", "": "no reference",
	} {
		o := &v1alpha1.SandboxImage{Spec: v1alpha1.SandboxImageSpec{Image: image}}
		check(t, image, Validate(o), want)
	}
}

// R50
func TestKoraTenants(t *testing.T) {
	platform := Platform{SystemNamespace: "kora-tenant-platform", Secrets: []string{"kora-secrets"}}
	tenant := &v1alpha1.KoraTenant{}
	tenant.Name = "data"
	tenant.Spec.OIDC.Issuer, tenant.Spec.OIDC.Domains = "https://login.example.com:8443/x", []v1alpha1.Domain{"a.com", "b.com"}
	check(t, "a tenant", append(Validate(tenant), platform.Tenant(tenant)...), "")
	for issuer, want := range map[string]string{
		"https://metadata.google.internal": "metadata service", "https://kubernetes.default": "a name of the cluster's own", "https://x.kora-system.svc": "a name of the cluster's own",
		"https://keycloak": "a name of the cluster's own", "https://login.example.com": "", "https://login.team.corp/realms/a": "",
	} {
		o := tenant.DeepCopy()
		o.Spec.OIDC.Issuer = issuer
		if want != "" {
			want = "spec.oidc.issuer " + strconv.Quote(issuer) + "…" + want
		}
		check(t, issuer, Validate(o), want)
	}
	for _, name := range []string{v1alpha1.TenantCA, v1alpha1.EgressCA} { // what the operator never copies
		o := tenant.DeepCopy()
		o.Spec.ImagePullSecrets = []v1alpha1.LocalReference{{Name: "pull"}, {Name: name}}
		check(t, name, Validate(o), `spec.imagePullSecrets[1].name "`+name+`" is the name of a certificate authority of the tenant`)
	}
	other := tenant.DeepCopy()
	check(t, "itself", Domains(tenant, []v1alpha1.KoraTenant{*other}), "")
	other.Name = "other"
	check(t, "a domain twice, told to anybody", Unnamed(tenant, []v1alpha1.KoraTenant{*other}), `spec.oidc.domains[0] "a.com" belongs to another tenant (kubectl get koratenants…spec.oidc.domains[1]`)
	check(t, "a domain twice", Domains(tenant, []v1alpha1.KoraTenant{*other}), `spec.oidc.domains[0] "a.com" belongs to the tenant other…spec.oidc.domains[1]`)

	tenant.Name, tenant.Spec.OIDC.Issuer = "platform", "https://login.example.com:99999"
	tenant.Spec.OIDC.ClientSecretRef = &v1alpha1.SecretKeyReference{LocalReference: v1alpha1.LocalReference{Name: "kora-secrets"}, Key: "DB_PASSWORD"}
	tenant.Spec.ImagePullSecrets = []v1alpha1.LocalReference{{Name: "pull"}, {Name: WebhookCASecret}}
	check(t, "the platform's", append(Validate(tenant), platform.Tenant(tenant)...),
		`names the port 99999…metadata.name "platform" is reserved…spec.oidc.clientSecretRef.name "kora-secrets" is a Secret of the platform…spec.imagePullSecrets[1].name`)
}

// R50: a label makes no tenant, and neither does a name.
func TestOnlyTheOperatorsNamespacesAreTenants(t *testing.T) {
	n := &corev1.Namespace{}
	n.Name, n.Labels = "kora-tenant-data", map[string]string{v1alpha1.LabelTenant: "data", v1alpha1.LabelManagedBy: v1alpha1.Operator}
	if tenant, ok := TenantOf(n); !ok || tenant != "data" {
		t.Errorf("%q %v", tenant, ok)
	}
	for name, change := range map[string]func(){
		"another name":   func() { n.Name = "data" },
		"another tenant": func() { n.Labels[v1alpha1.LabelTenant] = "rich" },
		"nobody's":       func() { delete(n.Labels, v1alpha1.LabelManagedBy) },
		"no tenant":      func() { n.Name, n.Labels[v1alpha1.LabelTenant] = "kora-tenant-", "" },
	} {
		was := n.DeepCopy()
		change()
		if _, ok := TenantOf(n); ok {
			t.Errorf("%s is a tenant's", name)
		}
		n = was
	}
}

// R51: what is allowed and seldom meant.
func TestWarnings(t *testing.T) {
	zero := int32(0)
	for _, test := range []struct {
		o    v1alpha1.Object
		want string
	}{
		{&v1alpha1.Connection{Spec: v1alpha1.ConnectionSpec{Hosts: []v1alpha1.Host{"*.example.com", "a.example.com", "example.com"}, AllowedPaths: []v1alpha1.PathRule{"/v1/*", "/v1/user", "/v2"}}},
			"spec.hosts[1]: a.example.com is already admitted by *.example.com|spec.allowedPaths[1]: /v1/user is already admitted by /v1/*"},
		{&v1alpha1.OAuthClient{Spec: v1alpha1.OAuthClientSpec{RedirectURIs: []v1alpha1.RedirectURI{"https://a.b:443/x", "https://a.b:8443/x"}}}, "spec.redirectURIs[0]: browsers leave out :443, and URIs are compared character by character: https://a.b/x is probably meant"},
		{&v1alpha1.ModelProvider{Spec: v1alpha1.ModelProviderSpec{Models: []v1alpha1.Model{{Name: "a", Weight: &zero}}}}, "spec.models: every weight is 0, so  gets no calls"},
		{&v1alpha1.SandboxImage{}, ""},
	} {
		if got := strings.Join(Warnings(test.o), "|"); got != test.want {
			t.Errorf("%T: %q", test.o, got)
		}
	}
}

// FuzzRules: the rules never panic, whatever is stored, and what they
// say stays short.
func FuzzRules(f *testing.F) {
	for _, text := range []string{"https://a.b/%2e", "https://[::1]:x/", "*.", "*", "169.254.169.254/x:1", "a.b/x@sha256:", "https://a.b:0", "\x00", "//", "https://xn--/", strings.Repeat("%", 600)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, o := range []v1alpha1.Object{
			&v1alpha1.KoraTenant{Spec: v1alpha1.KoraTenantSpec{OIDC: v1alpha1.TenantOIDC{Issuer: text, Domains: []v1alpha1.Domain{v1alpha1.Domain(text)}}}},
			&v1alpha1.Connection{Spec: v1alpha1.ConnectionSpec{Hosts: []v1alpha1.Host{v1alpha1.Host(text), "*.a.b"}, Authentication: v1alpha1.Authentication{TokenURL: text}, AllowedPaths: []v1alpha1.PathRule{v1alpha1.PathRule(text), "/*"}}},
			&v1alpha1.OAuthClient{Spec: v1alpha1.OAuthClientSpec{RedirectURIs: []v1alpha1.RedirectURI{v1alpha1.RedirectURI(text)}}},
			&v1alpha1.MCPServer{Spec: v1alpha1.MCPServerSpec{URL: text, ConnectionRef: &v1alpha1.LocalReference{Name: text}, ServiceRef: &v1alpha1.ServiceReference{Path: text}}},
			&v1alpha1.ModelProvider{Spec: v1alpha1.ModelProviderSpec{Endpoint: text, Models: []v1alpha1.Model{{Name: text}, {Name: strings.ToUpper(text)}}}},
			&v1alpha1.SandboxImage{Spec: v1alpha1.SandboxImageSpec{Image: text}},
		} {
			if said := Message(Validate(o)); len(said) > 40_000 {
				t.Errorf("%T: %d bytes", o, len(said))
			}
			Warnings(o)
		}
	})
}

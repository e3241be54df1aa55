package soak_test

import (
	"fmt"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images/registrytest"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// each tenant has so many resources of its own.
const each = 10

// tenantOf is a tenant whose deletion takes its namespace too.
func tenantOf(name string) *v1alpha1.KoraTenant {
	return &v1alpha1.KoraTenant{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1alpha1.KoraTenantSpec{
		DisplayName: "Team " + name, DeletionPolicy: v1alpha1.DeletionDelete,
		OIDC: v1alpha1.TenantOIDC{Issuer: "https://login.example.com", ClientID: "kora", Domains: []v1alpha1.Domain{v1alpha1.Domain(name + ".example.com")}}}}
}

func in(tenant, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: v1alpha1.TenantNamespace(tenant), Name: name}
}

// secretsOf are the Secrets that a tenant's resources name.
func secretsOf(tenant string) []client.Object {
	var all []client.Object
	for _, name := range []string{"github", "jira", "models", "sign-in"} {
		all = append(all, &corev1.Secret{ObjectMeta: in(tenant, name), StringData: map[string]string{
			"token": name + "-0", "key": name + "-0", "client-secret": name + "-0"}})
	}
	return all
}

// resourcesOf are a tenant's own resources, each valid.
func resourcesOf(tenant string) []client.Object {
	return []client.Object{
		connection(tenant, "github", "api.github.com"), connection(tenant, "jira", "jira.example.com"),
		oauthClient(tenant, "cli"), oauthClient(tenant, "portal"),
		mcpServer(tenant, "issues", "https://jira.example.com/mcp", "jira"), mcpServer(tenant, "docs", "https://docs.example.com/mcp", ""),
		modelProvider(tenant, "claude", "https://models.example.com/v1"), modelProvider(tenant, "other", "https://other.example.com"),
		image(tenant, "team", false), image(tenant, "tools", false),
	}
}

func connection(tenant, name, host string) *v1alpha1.Connection {
	return &v1alpha1.Connection{ObjectMeta: in(tenant, name), Spec: v1alpha1.ConnectionSpec{
		Hosts: []v1alpha1.Host{v1alpha1.Host(host)}, Authentication: v1alpha1.Authentication{Type: v1alpha1.AuthenticationBearer,
			SecretRef: &v1alpha1.CredentialsReference{LocalReference: v1alpha1.LocalReference{Name: name}, Key: "token"}}}}
}

func oauthClient(tenant, name string) *v1alpha1.OAuthClient {
	return &v1alpha1.OAuthClient{ObjectMeta: in(tenant, name), Spec: v1alpha1.OAuthClientSpec{
		GrantTypes: []v1alpha1.GrantType{v1alpha1.GrantClientCredentials}, SecretRef: key("sign-in", "client-secret")}}
}

func mcpServer(tenant, name, url, connection string) *v1alpha1.MCPServer {
	s := &v1alpha1.MCPServer{ObjectMeta: in(tenant, name), Spec: v1alpha1.MCPServerSpec{URL: url, Transport: v1alpha1.TransportStreamableHTTP}}
	if connection != "" {
		s.Spec.ConnectionRef = &v1alpha1.LocalReference{Name: connection}
	}
	return s
}

func modelProvider(tenant, name, endpoint string) *v1alpha1.ModelProvider {
	weight := int32(100)
	return &v1alpha1.ModelProvider{ObjectMeta: in(tenant, name), Spec: v1alpha1.ModelProviderSpec{
		Type: v1alpha1.ProviderAnthropic, Endpoint: endpoint, Models: []v1alpha1.Model{{Name: "m", Weight: &weight}}, SecretRef: key("models", "key")}}
}

func key(secret, name string) *v1alpha1.SecretKeyReference {
	return &v1alpha1.SecretKeyReference{LocalReference: v1alpha1.LocalReference{Name: secret}, Key: name}
}

// image is one of four that the registry holds.
func image(tenant, name string, warm bool) *v1alpha1.SandboxImage {
	return &v1alpha1.SandboxImage{ObjectMeta: in(tenant, name), Spec: v1alpha1.SandboxImageSpec{
		Image: fmt.Sprintf("%s/team/%s:1", registrytest.Host, name), Warm: warm}}
}

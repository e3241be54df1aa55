package registries_test

import (
	"github.com/runkora/kora/operator/api/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func in(tenant, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: v1alpha1.TenantNamespace(tenant), Name: name}
}

// secret holds the planted value under the keys.
func secret(tenant, name string, keys ...string) *corev1.Secret {
	s := &corev1.Secret{ObjectMeta: in(tenant, name), StringData: map[string]string{}}
	for _, key := range keys {
		s.StringData[key] = planted
	}
	return s
}

// connection has a bearer token under the key token of a Secret; without one it has none.
func connection(tenant, name, secret string) *v1alpha1.Connection {
	c := &v1alpha1.Connection{ObjectMeta: in(tenant, name), Spec: v1alpha1.ConnectionSpec{
		Hosts: []v1alpha1.Host{"api.example.com"}, Authentication: v1alpha1.Authentication{Type: v1alpha1.AuthenticationNone}}}
	if secret != "" {
		c.Spec.Authentication = v1alpha1.Authentication{Type: v1alpha1.AuthenticationBearer,
			SecretRef: &v1alpha1.CredentialsReference{LocalReference: v1alpha1.LocalReference{Name: secret}, Key: "token"}}
	}
	return c
}

func oauthClient(tenant, name, secret string) *v1alpha1.OAuthClient {
	return &v1alpha1.OAuthClient{ObjectMeta: in(tenant, name), Spec: v1alpha1.OAuthClientSpec{
		GrantTypes: []v1alpha1.GrantType{v1alpha1.GrantClientCredentials}, SecretRef: key(secret, "client-secret")}}
}

func mcpServer(tenant, name, url, connection string) *v1alpha1.MCPServer {
	s := &v1alpha1.MCPServer{ObjectMeta: in(tenant, name), Spec: v1alpha1.MCPServerSpec{URL: url}}
	if connection != "" {
		s.Spec.ConnectionRef = &v1alpha1.LocalReference{Name: connection}
	}
	return s
}

func modelProvider(tenant, name, endpoint, secret string) *v1alpha1.ModelProvider {
	return &v1alpha1.ModelProvider{ObjectMeta: in(tenant, name), Spec: v1alpha1.ModelProviderSpec{
		Type: v1alpha1.ProviderAnthropic, Endpoint: endpoint, Models: []v1alpha1.Model{{Name: "m"}}, SecretRef: key(secret, "key")}}
}

func key(secret, name string) *v1alpha1.SecretKeyReference {
	return &v1alpha1.SecretKeyReference{LocalReference: v1alpha1.LocalReference{Name: secret}, Key: name}
}

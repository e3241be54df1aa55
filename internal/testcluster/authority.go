package testcluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// users are who the tokens stand for: name in the kubeconfigs' file, user, group.
// kwok plays every kubelet and a storage provisioner, so it may do everything.
var users = [][3]string{
	{"admin", "admin", "system:masters"},
	{"controllers", "system:kube-controller-manager", ""},
	{"scheduler", "system:kube-scheduler", ""},
	{"kwok", "kwok", "system:masters"},
}

// authority is whom the cluster's parts believe: certificates and tokens.
type authority struct {
	pki
	ca          []byte
	tokens      map[string]string
	kubeconfigs map[string]string
}

// newAuthority writes everything that the programs read about each other.
func newAuthority(dir, server string) (authority, error) {
	a := authority{pki: pki{dir}, tokens: map[string]string{}, kubeconfigs: map[string]string{}}
	if err := a.issueAll(); err != nil {
		return a, err
	}
	var err error
	if a.ca, err = os.ReadFile(a.path("ca.crt")); err != nil {
		return a, err
	}
	var table strings.Builder
	for n, user := range users {
		token := rand.Text()
		a.tokens[user[0]] = token
		fmt.Fprintf(&table, "%s,%s,%d,%q\n", token, user[1], n, user[2])
		if err := a.writeKubeconfig(user[0], server); err != nil {
			return a, err
		}
	}
	return a, os.WriteFile(a.path("tokens.csv"), []byte(table.String()), 0o600)
}

// issueAll makes one authority for servers and one for the API server's calls
// to aggregated servers: whoever has a certificate of the latter may claim to
// be anybody.
func (a authority) issueAll() error {
	ca, err := a.newSigner("ca")
	if err != nil {
		return err
	}
	front, err := a.newSigner("front-proxy-ca")
	if err != nil {
		return err
	}
	return errors.Join(ca.issue("server", "kubernetes.default.svc"), front.issue("front-proxy-client"), a.newPair("service-accounts"))
}

func (a *authority) writeKubeconfig(user, server string) error {
	config := clientcmdapi.NewConfig()
	config.Clusters["kora"] = &clientcmdapi.Cluster{Server: server, CertificateAuthorityData: a.ca}
	config.AuthInfos[user] = &clientcmdapi.AuthInfo{Token: a.tokens[user]}
	config.Contexts["kora"] = &clientcmdapi.Context{Cluster: "kora", AuthInfo: user}
	config.CurrentContext = "kora"
	a.kubeconfigs[user] = filepath.Join(a.dir, user+".kubeconfig")
	return clientcmd.WriteToFile(*config, a.kubeconfigs[user])
}

// config has no rate limit of the client's own: it would make tests wait.
func (a authority) config(server, token string) *rest.Config {
	return &rest.Config{Host: server, BearerToken: token, QPS: -1, TLSClientConfig: rest.TLSClientConfig{CAData: a.ca}}
}

// ConfigOf gives the access of a service account, by a token that the API
// server issues for an hour: what RBAC grants it, and no more.
func (c *Cluster) ConfigOf(ctx context.Context, namespace, serviceAccount string) (*rest.Config, error) {
	token, err := c.client.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, serviceAccount,
		&authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	return c.config(c.server(), token.Status.Token), nil
}

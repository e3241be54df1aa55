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

// issueAll makes one authority for servers, one for etcd, which gives all it
// holds to whoever has its certificate, and one for the API server's calls to
// aggregated servers: whoever has a certificate of that may claim to be
// anybody. The controllers issue certificates of the first one on request.
func (a authority) issueAll() error {
	ca, err := a.newSigner("ca")
	if err != nil {
		return err
	}
	front, err := a.newSigner("front-proxy-ca")
	if err != nil {
		return err
	}
	etcd, err := a.newSigner("etcd-ca")
	if err != nil {
		return err
	}
	return errors.Join(ca.issue("server", "kubernetes.default.svc"), etcd.issue("etcd"), front.issue("front-proxy-client"), a.newPair("service-accounts"))
}

// writeKubeconfig names everything after the cluster's folder: no other
// cluster bears that name, with whose kubeconfig this one may be merged.
func (a *authority) writeKubeconfig(user, server string) error {
	name, config := filepath.Base(a.dir), clientcmdapi.NewConfig()
	config.Clusters[name] = &clientcmdapi.Cluster{Server: server, CertificateAuthorityData: a.ca}
	config.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: a.tokens[user]}
	config.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	config.CurrentContext = name
	a.kubeconfigs[user] = filepath.Join(a.dir, user+".kubeconfig")
	return clientcmd.WriteToFile(*config, a.kubeconfigs[user])
}

// ConfigOf gives the access of a service account, by a token that the API
// server issues for an hour: what RBAC grants it, and no more.
func (c *Cluster) ConfigOf(ctx context.Context, namespace, serviceAccount string) (*rest.Config, error) {
	token, err := c.client.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, serviceAccount,
		&authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	return c.access(token.Status.Token), nil
}

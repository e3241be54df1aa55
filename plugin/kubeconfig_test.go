package main

import (
	"path/filepath"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/runkora/kora/internal/testcluster"
)

// kubeconfigWithout writes a kubeconfig of an account that may do nothing.
func kubeconfigWithout(t *testing.T, c *testcluster.Cluster) string {
	t.Helper()
	return kubeconfigOf(t, c, c.Namespace(t, "restricted"))
}

// kubeconfigOf is one of the default account of a namespace.
func kubeconfigOf(t *testing.T, c *testcluster.Cluster, namespace string) string {
	t.Helper()
	config, err := c.ConfigOf(t.Context(), namespace, "default")
	if err != nil {
		t.Fatal(err)
	}
	file := clientcmdapi.NewConfig()
	file.Clusters["c"] = &clientcmdapi.Cluster{Server: config.Host, CertificateAuthority: config.CAFile, CertificateAuthorityData: config.CAData}
	file.AuthInfos["u"] = &clientcmdapi.AuthInfo{Token: config.BearerToken}
	file.Contexts["x"] = &clientcmdapi.Context{Cluster: "c", AuthInfo: "u"}
	file.CurrentContext = "x"
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*file, path); err != nil {
		t.Fatal(err)
	}
	return path
}

package testcluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// etcdReady asks as the API server does.
func (c *Cluster) etcdReady(ctx context.Context) error {
	pair, err := tls.LoadX509KeyPair(c.path("etcd.crt"), c.path("etcd.key"))
	if err != nil {
		return err
	}
	ca, err := os.ReadFile(c.path("etcd-ca.crt"))
	if err != nil {
		return err
	}
	return get(ctx, caller(ca, pair), c.etcdURL()+"/health")
}

// answers asks the API server as an administrator.
func (c *Cluster) answers(path string) func(context.Context) error {
	return func(ctx context.Context) error {
		return c.client.RESTClient().Get().AbsPath(path).Do(ctx).Error()
	}
}

// healthy asks a component on its own port.
func (c *Cluster) healthy(port int) func(context.Context) error {
	client := caller(c.ca)
	return func(ctx context.Context) error { return get(ctx, client, "https://"+loopback(port)+"/healthz") }
}

// caller believes ca, and shows its certificates to whom it calls.
func caller(ca []byte, own ...tls.Certificate) *http.Client {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca)
	return &http.Client{Timeout: patience, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, Certificates: own}, DisableKeepAlives: true}}
}

func get(ctx context.Context, client *http.Client, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	said, _ := io.ReadAll(io.LimitReader(response.Body, 200))
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", response.Status, strings.TrimSpace(string(said)))
	}
	return nil
}

// makeObjects makes nodes and storage classes, and may be called again after it failed.
func (c *Cluster) makeObjects(ctx context.Context) error {
	version, err := c.client.Discovery().ServerVersion()
	if err != nil {
		return err
	}
	for _, node := range c.options.Nodes {
		_, err := c.client.CoreV1().Nodes().Create(ctx, node.object(version.GitVersion), metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
	}
	for _, class := range []string{DefaultStorageClass, SharedStorageClass} {
		_, err := c.client.StorageV1().StorageClasses().Create(ctx, storageClass(class), metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
	}
	return nil
}

// nodesReady waits for kwok's condition, and for the taint of an unready node
// to be taken off, without which nothing is scheduled.
func (c *Cluster) nodesReady(ctx context.Context) error {
	nodes, err := c.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, node := range nodes.Items {
		if !isReady(node) {
			return fmt.Errorf("node %s is not ready", node.Name)
		}
	}
	return nil
}

func isReady(node corev1.Node) bool {
	for _, taint := range node.Spec.Taints {
		if taint.Key == corev1.TaintNodeNotReady {
			return false
		}
	}
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}

// accountsReady: pods are only admitted where their service account exists.
func (c *Cluster) accountsReady(ctx context.Context) error {
	_, err := c.client.CoreV1().ServiceAccounts("default").Get(ctx, "default", metav1.GetOptions{})
	return err
}

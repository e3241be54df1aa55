package testcluster

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The levels of Pod Security that [Cluster.Namespace] enforces.
const (
	Privileged = "privileged"
	Baseline   = "baseline"
	Restricted = "restricted"
)

// Namespace makes a namespace that enforces a level of Pod Security, gives its
// name once pods can be made in it, and deletes it when the test ends.
func (c *Cluster) Namespace(t testing.TB, level string) string {
	t.Helper()
	if err := c.Failure(); err != nil {
		t.Fatalf("no control plane: %v", err)
	}
	namespaces := c.client.CoreV1().Namespaces()
	made, err := namespaces.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		GenerateName: "kora-test-", Labels: map[string]string{"pod-security.kubernetes.io/enforce": level}}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatalf("make a namespace: %v", err)
	}
	t.Cleanup(func() { // t.Context has ended by now
		err := namespaces.Delete(context.Background(), made.Name, metav1.DeleteOptions{})
		if err != nil && c.Failure() == nil { // else the test has failed for that
			t.Errorf("delete namespace %s: %v", made.Name, err)
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := c.procs.poll(ctx, "the service account of "+made.Name, func(ctx context.Context) error {
		_, err := c.client.CoreV1().ServiceAccounts(made.Name).Get(ctx, "default", metav1.GetOptions{})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return made.Name
}

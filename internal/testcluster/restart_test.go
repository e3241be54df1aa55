package testcluster

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// R50: the API server can go and come back, with all that it held, and the cluster
// counts as whole; while it is away nobody answers.
func TestAPIServerRestarts(t *testing.T) {
	c := Shared(t)
	namespace := c.Namespace(t, Restricted)
	asked := false
	if err := c.RestartAPIServer(c.Context(t), func() {
		asked = true
		if _, err := c.Client().CoreV1().Namespaces().Get(t.Context(), namespace, metav1.GetOptions{}); err == nil {
			t.Error("it answers while it is not there")
		}
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Client().CoreV1().Namespaces().Get(t.Context(), namespace, metav1.GetOptions{}); err != nil || !asked {
		t.Errorf("afterwards: %v", err)
	}
	if err := c.Failure(); err != nil {
		t.Errorf("the cluster counts as broken: %v", err)
	}
}

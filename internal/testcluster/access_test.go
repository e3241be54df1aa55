package testcluster

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

func TestRestrictedNamespaceRefusesAPrivilegedPod(t *testing.T) {
	c := Shared(t)
	pods := c.Client().CoreV1().Pods(c.Namespace(t, Restricted))
	bad := goodPod("bad")
	bad.Spec.Containers[0].SecurityContext.Privileged = ptr(true)
	bad.Spec.Containers[0].SecurityContext.AllowPrivilegeEscalation = ptr(true)
	_, err := pods.Create(t.Context(), bad, create)
	if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), `violates PodSecurity "restricted`) {
		t.Errorf("a privileged pod: %v", err)
	}
	if _, err := pods.Create(t.Context(), goodPod("good"), create); err != nil {
		t.Errorf("a restricted pod: %v", err)
	}
}

func TestUnboundServiceAccountMayDoNothing(t *testing.T) {
	c := Shared(t)
	namespace := c.Namespace(t, Restricted)
	config, err := c.ConfigOf(t.Context(), namespace, "default")
	if err != nil {
		t.Fatal(err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CoreV1().Secrets(namespace).List(t.Context(), metav1.ListOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("unbound, it lists secrets: %v", err)
	}
	if _, err := c.Client().RbacV1().RoleBindings(namespace).Create(t.Context(), bind(namespace, "view"), create); err != nil {
		t.Fatal(err)
	}
	eventually(t, c, "the binding to count", func(ctx context.Context) error {
		_, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
		return err
	})
	if _, err := client.CoreV1().Secrets(namespace).List(t.Context(), metav1.ListOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("bound to view, it lists secrets: %v", err)
	}
}

// bind gives the default service account a cluster role in its namespace.
func bind(namespace, role string) *rbacv1.RoleBinding {
	return &rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Name: role},
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
		Subjects: []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: "default", Namespace: namespace}}}
}

func TestKubeconfigServesTheBuiltKubectl(t *testing.T) {
	c := Shared(t)
	out, err := exec.Command(filepath.Join(c.Binaries(), "kubectl"), "--kubeconfig", c.Kubeconfig(), "get", "nodes", "-o", "name").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "node/general-a\n") {
		t.Errorf("kubectl get nodes: %v\n%s", err, out)
	}
}

// Two kubeconfigs that are merged keep both clusters only under other names.
func TestKubeconfigNamesAreOfThisClusterAlone(t *testing.T) {
	c := Shared(t)
	config, err := clientcmd.LoadFromFile(c.Kubeconfig())
	must(t, err)
	name := filepath.Base(c.home.dir)
	context := config.Contexts[name]
	if config.CurrentContext != name || context == nil || context.Cluster != name || context.AuthInfo != name ||
		config.Clusters[name] == nil || config.AuthInfos[name] == nil || !strings.HasPrefix(name, prefix) {
		t.Errorf("not all is named %s: %+v", name, config)
	}
}

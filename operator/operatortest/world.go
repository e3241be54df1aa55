package operatortest

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/runkora/kora/charts"
	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/manager"
	"github.com/runkora/kora/operator/settings"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

// World is what one test has of the cluster.
type World struct {
	Cluster  *testcluster.Cluster
	Settings settings.Settings
	Admin    client.Client // a cluster administrator's, without a cache
	Requests *Requests     // of the operator alone
}

// installed is done once in the cluster that all tests of a package share.
var installed struct {
	sync.Once
	done bool
}

// New gives a cluster with kora's definitions, and the chart's rights, policies of
// admission and namespace. Values, which may be nil, are the chart's. Under -short the test is
// left out.
func New(t testing.TB, values map[string]any) *World {
	t.Helper()
	cluster := testcluster.Shared(t)
	scheme, err := manager.Scheme()
	if err != nil {
		t.Fatal(err)
	}
	admin, err := client.New(cluster.Config(), client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	w := &World{Cluster: cluster, Settings: Settings(t, values), Admin: admin, Requests: &Requests{denied: map[string]string{}, taken: map[string]bool{}}}
	installed.Do(func() { ctrl.SetLogger(logr.Discard()); w.install(t); installed.done = true })
	if !installed.done {
		t.Fatal("the definitions and the rights could not be made")
	}
	t.Cleanup(func() { w.judge(t) })
	return w
}

func (w *World) install(t testing.TB) {
	t.Helper()
	definitions, err := charts.CustomResources()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range definitions {
		o := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(text, &o.Object); err != nil {
			t.Fatal(err)
		}
		w.Apply(t, o)
		w.established(t, o)
	}
	w.Apply(t, object("v1", "Namespace", "", System))
	w.Apply(t, Rendered(t, nil, "ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding")...)
}

// established waits until a definition's kind can be listed.
func (w *World) established(t testing.TB, definition *unstructured.Unstructured) {
	t.Helper()
	kind, _, _ := unstructured.NestedString(definition.Object, "spec", "names", "kind")
	group, _, _ := unstructured.NestedString(definition.Object, "spec", "group")
	versions, _, _ := unstructured.NestedSlice(definition.Object, "spec", "versions")
	version, _, _ := unstructured.NestedString(versions[0].(map[string]any), "name")
	Eventually(t, func() error {
		list := &unstructured.UnstructuredList{}
		list.SetAPIVersion(group + "/" + version)
		list.SetKind(kind + "List")
		return w.Admin.List(t.Context(), list)
	})
}

// Define adds definitions of other parties, such as the mesh's, and waits until
// their kinds can be listed.
func (w *World) Define(t testing.TB, definitions ...*unstructured.Unstructured) {
	t.Helper()
	for _, o := range definitions {
		w.Apply(t, o)
		w.established(t, o)
	}
}

// Apply makes objects, or changes them, as a cluster's administrator.
func (w *World) Apply(t testing.TB, objects ...*unstructured.Unstructured) {
	t.Helper()
	for _, o := range objects {
		o = o.DeepCopy()
		err := w.Admin.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(o), client.FieldOwner("admin"), client.ForceOwnership)
		if err != nil && !apierrors.IsAlreadyExists(err) {
			t.Fatalf("%s %s: %v", o.GetKind(), o.GetName(), err)
		}
	}
}

// Access is the operator's ServiceAccount, by impersonation; its requests are recorded.
func (w *World) Access() *rest.Config {
	config := w.Cluster.Config()
	config.Impersonate = rest.ImpersonationConfig{UserName: "system:serviceaccount:" + System + ":kora-operator",
		Groups: []string{"system:serviceaccounts", "system:serviceaccounts:" + System, "system:authenticated"}}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return recorded{w.Requests, next} })
	return config
}

// Eventually tries until there is no error, for a minute: a lease whose holder was killed
// takes 17 seconds of it, and a slow machine the rest.
func Eventually(t testing.TB, try func() error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		err := try()
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("still after a minute: %v", err)
		case <-time.After(25 * time.Millisecond):
		}
	}
}

func object(apiVersion, kind, namespace, name string) *unstructured.Unstructured {
	o := &unstructured.Unstructured{}
	o.SetAPIVersion(apiVersion)
	o.SetKind(kind)
	o.SetNamespace(namespace)
	o.SetName(name)
	return o
}

package release_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/internal/testcluster/mesh"
	"github.com/runkora/kora/plugin/release"
	"github.com/runkora/kora/plugin/schema/rules"
	"github.com/runkora/kora/plugin/schema/sample"
	"github.com/runkora/kora/plugin/values"
)

// server takes objects in a dry run, as kubectl apply --dry-run=server does, and
// refuses unknown fields.
type server struct {
	cluster *testcluster.Cluster
	client  dynamic.Interface
	kinds   meta.RESTMapper
	made    map[string]bool
}

// newServer is the shared cluster with the definitions of the mesh.
func newServer(t *testing.T) *server {
	t.Helper()
	cluster := testcluster.Shared(t)
	mesh.Definitions(t, cluster)
	config := rest.CopyConfig(cluster.Config())
	config.QPS = -1
	config.WarningHandler = rest.NoWarnings{} // of what values allow; the charts' tests look at kora's own
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	groups, err := restmapper.GetAPIGroupResources(discovery.NewDiscoveryClientForConfigOrDie(config))
	if err != nil {
		t.Fatal(err)
	}
	return &server{cluster, client, restmapper.NewDiscoveryRESTMapper(groups), map[string]bool{"": true, "default": true}}
}

// refuses hands every object of a release to the API server, and returns what it
// says of those that it does not take.
func (s *server) refuses(t *testing.T, r *release.Result) []string {
	t.Helper()
	var said []string
	for _, o := range r.Objects {
		s.namespace(t, o.Namespace)
	}
	for _, o := range r.Objects {
		plain, _ := o.Node.Any().(map[string]any)
		gvk := schema.FromAPIVersionAndKind(o.APIVersion, o.Kind)
		mapping, err := s.kinds.RESTMapping(gvk.GroupKind(), gvk.Version)
		if err != nil {
			t.Fatalf("%s: %v", o.Title(), err)
		}
		in := dynamic.ResourceInterface(s.client.Resource(mapping.Resource))
		if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
			in = s.client.Resource(mapping.Resource).Namespace(o.Namespace)
		}
		text, err := json.Marshal(&unstructured.Unstructured{Object: plain})
		if err != nil {
			t.Fatal(err)
		}
		force := true
		if _, err := in.Patch(s.cluster.Context(t), o.Name, types.ApplyPatchType, text, metav1.PatchOptions{
			DryRun: []string{metav1.DryRunAll}, FieldManager: "kora-test", FieldValidation: metav1.FieldValidationStrict, Force: &force,
		}); err != nil {
			said = append(said, fmt.Sprintf("%s, of %s: %v", o.Title(), o.Template, err))
		}
	}
	return said
}

// judges is refuses for objects of which the API server may not know the kind: it
// creates each in a dry run. An unsound name cannot even be asked for.
func (s *server) judges(t *testing.T, r *release.Result) []string {
	t.Helper()
	var said []string
	for _, o := range r.Objects {
		plain, _ := o.Node.Any().(map[string]any)
		gvk := schema.FromAPIVersionAndKind(o.APIVersion, o.Kind)
		mapping, err := s.kinds.RESTMapping(gvk.GroupKind(), gvk.Version)
		if err != nil {
			said = append(said, err.Error())
			continue
		}
		in := dynamic.ResourceInterface(s.client.Resource(mapping.Resource))
		if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
			in = s.client.Resource(mapping.Resource).Namespace(cmp.Or(o.Namespace, "default"))
		}
		if _, err := in.Create(s.cluster.Context(t), &unstructured.Unstructured{Object: plain}, metav1.CreateOptions{
			DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationStrict}); err != nil {
			said = append(said, err.Error())
		}
	}
	return said
}

// version is the API server's, such as 1.36.3.
func (s *server) version(t *testing.T) string {
	t.Helper()
	v, err := s.cluster.Client().Discovery().ServerVersion()
	if err != nil {
		t.Fatal(err)
	}
	return v.GitVersion
}

// serves are the kinds that discovery lists, "VERSION KIND".
func (s *server) serves(t *testing.T) map[string]bool {
	t.Helper()
	_, lists, err := s.cluster.Client().Discovery().ServerGroupsAndResources()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for _, list := range lists {
		for _, r := range list.APIResources {
			all[list.GroupVersion+" "+r.Kind] = true
		}
	}
	return all
}

// namespace makes one that objects lie in: a dry run makes none.
func (s *server) namespace(t *testing.T, name string) {
	t.Helper()
	if s.made[name] {
		return
	}
	_, err := s.cluster.Client().CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
	s.made[name] = true
}

// R19, R25 to R31: a real API server takes every object of every example.
func TestClusterTakesEveryExample(t *testing.T) {
	s := newServer(t)
	for _, name := range examples {
		t.Run(name, func(t *testing.T) {
			r := good(t, release.Request{Values: inputOf(name)})
			if said := s.refuses(t, r); len(said) > 0 || len(r.Objects) < 100 {
				t.Errorf("%d objects; refused are %s", len(r.Objects), strings.Join(said, "\n"))
			}
		})
	}
}

// Where the seeds of the property begin, and how many there are: KORA_SEED and
// KORA_SAMPLES change them; make test-samples runs many.
const firstSeed, seeds = 1, 20

func number(t *testing.T, name string, otherwise int) int {
	t.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv(name), strconv.Itoa(otherwise)))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// R19, R20: whatever values the schema and the rules take render objects that the
// API server takes; and where the check of the objects refuses one, so does it.
func TestClusterTakesWhateverIsValid(t *testing.T) {
	s := newServer(t)
	embedded, err := rules.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	first, count := number(t, "KORA_SEED", firstSeed), number(t, "KORA_SAMPLES", seeds)
	for seed := first; seed < first+count; seed++ {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			text, err := sample.Text(uint64(seed), embedded)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			file := filepath.Join(t.TempDir(), "values.yaml")
			write(t, filepath.Dir(file), "values.yaml", text)
			out := release.Render(t.Context(), release.Request{Values: values.Input{Files: []string{file}}})
			for _, f := range out.Found {
				if f.Severity == faults.Error && f.Code != faults.Unsound {
					t.Fatalf("refused:\n%s\n%s", told(out.Found), text)
				}
			}
			if said := s.refuses(t, out); (len(said) > 0) != out.Found.Refused() {
				t.Errorf("kora says\n%s\nand the API server\n%s", told(out.Found), strings.Join(said, "\n"))
			}
			if t.Failed() {
				t.Logf("KORA_SEED=%d KORA_SAMPLES=1 gives it again, of these values:\n%s", seed, text)
			}
		})
	}
}

package v1alpha1_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/runkora/kora/charts"
	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/api/v1alpha1"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

// definitions are made once in the cluster that all tests share.
var definitions struct {
	sync.Once
	made bool
}

// served gives a client of the shared cluster, which serves kora's resources.
func served(t *testing.T) dynamic.Interface {
	t.Helper()
	client, err := dynamic.NewForConfig(testcluster.Shared(t).Config())
	if err != nil {
		t.Fatal(err)
	}
	definitions.Do(func() { define(t, client); definitions.made = true })
	if !definitions.made {
		t.Fatal("the definitions could not be made")
	}
	return client
}

var crds = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// define makes the definitions and waits until they are established (R19).
func define(t *testing.T, client dynamic.Interface) {
	t.Helper()
	all, err := charts.CustomResources()
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, text := range all {
		crd := object(t, string(text))
		if _, err := client.Resource(crds).Create(t.Context(), crd, metav1.CreateOptions{FieldValidation: "Strict"}); err != nil {
			t.Fatalf("%s: %v", crd.GetName(), err)
		}
		if err := wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
			got, err := client.Resource(crds).Get(ctx, crd.GetName(), metav1.GetOptions{})
			return err == nil && condition(got, "Established") == "True" && condition(got, "NamesAccepted") == "True", err
		}); err != nil {
			t.Fatalf("%s is not established: %v", crd.GetName(), err)
		}
		kind, _, _ := unstructured.NestedString(crd.Object, "spec", "names", "kind")
		kinds = append(kinds, kind)
	}
	if err := wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		return published(ctx, testcluster.Shared(t).Client().Discovery(), kinds), nil
	}); err != nil {
		t.Fatalf("the definitions are not published: %v", err)
	}
}

// published reports whether discovery and OpenAPI, by which kubectl goes, know
// every kind: the API server tells of them some time after it serves them.
func published(ctx context.Context, client discovery.DiscoveryInterface, kinds []string) bool {
	_, lists, err := client.ServerGroupsAndResources()
	if err != nil {
		return false
	}
	known := map[string]bool{}
	for _, list := range lists {
		for _, r := range list.APIResources {
			known[list.GroupVersion+" "+r.Kind] = true
		}
	}
	openAPI, err := client.RESTClient().Get().AbsPath("/openapi/v3/apis/runkora.io/v1alpha1").DoRaw(ctx)
	for _, kind := range kinds {
		if err != nil || !known["runkora.io/v1alpha1 "+kind] || !strings.Contains(string(openAPI), `"kind":"`+kind+`"`) {
			return false
		}
	}
	return true
}

// condition is the status of one of an object's conditions, empty when it has none.
func condition(o *unstructured.Unstructured, kind string) string {
	all, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	for _, each := range all {
		if c := each.(map[string]any); c["type"] == kind {
			return c["status"].(string)
		}
	}
	return ""
}

// object reads one from YAML.
func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	o := &unstructured.Unstructured{}
	if err := yaml.UnmarshalStrict([]byte(text), &o.Object); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return o
}

// merged is an object with a change: a JSON merge patch, written as YAML, where
// null removes a field.
func merged(t *testing.T, base, change string) *unstructured.Unstructured {
	t.Helper()
	original, err := yaml.YAMLToJSON([]byte(base))
	if err != nil {
		t.Fatal(err)
	}
	patch, err := yaml.YAMLToJSONStrict([]byte(change))
	if err != nil {
		t.Fatalf("%v in\n%s", err, change)
	}
	if string(patch) == "null" {
		patch = []byte("{}")
	}
	result, err := jsonpatch.MergePatch(original, patch)
	if err != nil {
		t.Fatal(err)
	}
	o := &unstructured.Unstructured{}
	if err := json.Unmarshal(result, &o.Object); err != nil {
		t.Fatal(err)
	}
	return o
}

// in gives the client of one of kora's resources. The empty namespace is the cluster.
func in(client dynamic.Interface, resource, namespace string) dynamic.ResourceInterface {
	r := client.Resource(v1alpha1.GroupVersion.WithResource(resource))
	if namespace == "" {
		return r
	}
	return r.Namespace(namespace)
}

// a rule is tried by a change to a valid object.
type rule struct {
	name   string
	change string // YAML of a merge patch
	want   string // parts of what the API server says, with "…" between; empty: it takes the object
}

// try asks the real API server about each change to a valid object, in a dry run
// in which fields that the type does not have are refused.
func try(t *testing.T, resource, base string, rules []rule) {
	client := served(t)
	namespace := ""
	if resource != v1alpha1.KoraTenants {
		namespace = "default"
	}
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			_, err := in(client, resource, namespace).Create(t.Context(), merged(t, base, r.change),
				metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: "Strict"})
			switch {
			case r.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case r.want != "" && err == nil:
				t.Error("taken")
			case r.want != "" && !apierrors.IsInvalid(err) && !apierrors.IsBadRequest(err):
				t.Errorf("not refused as invalid: %v", err)
			case r.want != "" && !says(err, r.want):
				t.Errorf("got  %v\nwant %s", err, r.want)
			}
		})
	}
}

// says tells whether an error holds all parts of a text.
func says(err error, parts string) bool {
	for part := range strings.SplitSeq(parts, "…") {
		if !strings.Contains(err.Error(), part) {
			return false
		}
	}
	return true
}

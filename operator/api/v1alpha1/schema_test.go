package v1alpha1_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/runkora/kora/charts"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// schemas gives the schema of each definition, by its kind.
func schemas(t *testing.T) map[string]map[string]any {
	t.Helper()
	all, err := charts.CustomResources()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]map[string]any{}
	for _, text := range all {
		crd := object(t, string(text))
		kind, _, _ := unstructured.NestedString(crd.Object, "spec", "names", "kind")
		versions, _, _ := unstructured.NestedSlice(crd.Object, "spec", "versions")
		found[kind], _, err = unstructured.NestedMap(versions[0].(map[string]any), "schema", "openAPIV3Schema")
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// R19: the six kinds, each with its definition, its Go type and its list.
func TestSchemeAndDefinitionsHoldTheSameKinds(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	found := schemas(t)
	if len(found) != 6 || len(examples) != 6 {
		t.Errorf("%d definitions, %d examples", len(found), len(examples))
	}
	for kind := range found {
		o, err := scheme.New(v1alpha1.GroupVersion.WithKind(kind))
		if err != nil {
			t.Error(err)
			continue
		}
		if _, ok := o.(v1alpha1.Object); !ok {
			t.Errorf("%s is no v1alpha1.Object", kind)
		}
		if !scheme.Recognizes(v1alpha1.GroupVersion.WithKind(kind + "List")) {
			t.Errorf("the scheme has no %sList", kind)
		}
	}
	if got := v1alpha1.Resource(v1alpha1.Connections); got != (schema.GroupResource{Group: "runkora.io", Resource: "connections"}) {
		t.Error(got)
	}
}

// R19: the API server counts what a rule may cost by the bounds of what it reads,
// and an object of one tenant must not fill the store of all.
func TestEveryStringAndListIsBoundedAndExplained(t *testing.T) {
	for kind, s := range schemas(t) {
		properties := s["properties"].(map[string]any)
		for _, part := range []string{"spec", "status"} {
			bounded(t, kind+"."+part, properties[part].(map[string]any))
		}
	}
}

func bounded(t *testing.T, path string, s map[string]any) {
	if s["description"] == nil && !strings.HasSuffix(path, "platforms[]") {
		t.Errorf("%s: no description", path)
	}
	for _, each := range list(s["x-kubernetes-validations"]) {
		if message, _ := each.(map[string]any)["message"].(string); !strings.ContainsAny(message, ":;,") {
			t.Errorf("%s: the message %q does not tell what to do", path, message)
		}
	}
	switch s["type"] {
	case "string":
		if s["maxLength"] == nil && s["enum"] == nil && s["format"] != "date-time" {
			t.Errorf("%s: a string without a bound", path)
		}
	case "array":
		if s["maxItems"] == nil || s["x-kubernetes-list-type"] == nil {
			t.Errorf("%s: a list without a bound or a type", path)
		}
		bounded(t, path+"[]", s["items"].(map[string]any))
	case "object":
		if s["additionalProperties"] != nil || s["x-kubernetes-preserve-unknown-fields"] != nil {
			t.Errorf("%s: takes any field", path)
		}
		properties, _ := s["properties"].(map[string]any)
		for name, each := range properties {
			bounded(t, path+"."+name, each.(map[string]any))
		}
	}
}

func list(v any) []any { l, _ := v.([]any); return l }

// R50: the bound in the rule is the constant's.
func TestNamesFitTheirNamespace(t *testing.T) {
	if v1alpha1.MaxTenantName != 51 || len(v1alpha1.TenantNamespace(strings.Repeat("a", v1alpha1.MaxTenantName))) != 63 {
		t.Errorf("MaxTenantName is %d", v1alpha1.MaxTenantName)
	}
}

// R19: what is generated is what the types say.
func TestGeneratedFilesAreFresh(t *testing.T) {
	if testing.Short() {
		t.Skip("builds controller-gen: left out by -short")
	}
	cmd := exec.CommandContext(t.Context(), "go", "-C", "../../../tools/generate", "run", ".", "-check")
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

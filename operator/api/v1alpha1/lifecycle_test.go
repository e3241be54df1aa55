package v1alpha1_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/api/v1alpha1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
)

// examples are a valid object of every kind, by its resource.
var examples = map[string]string{
	v1alpha1.KoraTenants: tenant, v1alpha1.Connections: connection, v1alpha1.OAuthClients: oauthClient,
	v1alpha1.MCPServers: mcpServer, v1alpha1.ModelProviders: modelProvider, v1alpha1.SandboxImages: sandboxImage,
}

// made makes an object for as long as the test runs.
func made(t *testing.T, resources dynamic.ResourceInterface, o *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	got, err := resources.Create(t.Context(), o, metav1.CreateOptions{FieldValidation: "Strict"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // t.Context has ended by now
		if err := resources.Delete(context.Background(), got.GetName(), metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			t.Error(err)
		}
	})
	return got
}

// place gives the client of a resource in a namespace of the test's own.
func place(t *testing.T, resource string) dynamic.ResourceInterface {
	t.Helper()
	client := served(t)
	if resource == v1alpha1.KoraTenants {
		return in(client, resource, "")
	}
	return in(client, resource, testcluster.Shared(t).Namespace(t, testcluster.Restricted))
}

// "The custom resources, decided": deletionPolicy defaults to Retain; deploying-kora: warm is off.
func TestDefaults(t *testing.T) {
	for resource, want := range map[string]struct {
		change, path string
		value        any
	}{
		v1alpha1.KoraTenants:    {``, "spec.deletionPolicy", "Retain"},
		v1alpha1.MCPServers:     {`spec: { transport: null }`, "spec.transport", "streamable-http"},
		v1alpha1.SandboxImages:  {`spec: { warm: null }`, "spec.warm", false},
		v1alpha1.ModelProviders: {`spec: { models: [{ name: a }] }`, "spec.models", []any{map[string]any{"name": "a", "weight": int64(100)}}},
	} {
		t.Run(resource, func(t *testing.T) {
			got := made(t, place(t, resource), merged(t, examples[resource], want.change))
			value, _, err := unstructured.NestedFieldCopy(got.Object, strings.Split(want.path, ".")...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.value, value); diff != "" {
				t.Errorf("%s (-want +got):\n%s", want.path, diff)
			}
		})
	}
}

// R50 to R52: who writes one part does not write the other, and only a new spec
// is a new generation.
func TestStatusIsApartFromSpec(t *testing.T) {
	for resource, example := range examples {
		t.Run(resource, func(t *testing.T) {
			resources := place(t, resource)
			was := made(t, resources, merged(t, example, `status: { observedGeneration: 7 }`))
			if _, found := was.Object["status"]; found {
				t.Errorf("a status was taken at creation: %v", was.Object["status"])
			}
			both := was.DeepCopy()
			set(t, both, int64(1), "status", "observedGeneration")
			set(t, both, "changed", "metadata", "labels", "test")
			delete(both.Object, "spec")
			set(t, both, map[string]any{}, "spec")
			got, err := resources.UpdateStatus(t.Context(), both, metav1.UpdateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(was.Object["spec"], got.Object["spec"]); diff != "" {
				t.Errorf("writing the status changed the spec (-was +is):\n%s", diff)
			}
			if seen, _, _ := unstructured.NestedInt64(got.Object, "status", "observedGeneration"); seen != 1 || got.GetGeneration() != was.GetGeneration() {
				t.Errorf("status.observedGeneration %d, generation %d", seen, got.GetGeneration())
			}
			delete(got.Object, "status")
			if got, err = resources.Update(t.Context(), got, metav1.UpdateOptions{}); err != nil {
				t.Fatal(err)
			}
			if _, found := got.Object["status"]; !found {
				t.Error("writing the object removed the status")
			}
		})
	}
}

func set(t *testing.T, o *unstructured.Unstructured, value any, path ...string) {
	t.Helper()
	if err := unstructured.SetNestedField(o.Object, value, path...); err != nil {
		t.Fatal(err)
	}
}

// R51: what an object is does not change under those who use it.
func TestImmutableFields(t *testing.T) {
	for _, c := range []struct{ name, resource, base, change, want string }{
		{"a provider's type", v1alpha1.ModelProviders, modelProvider, `spec: { type: openai }`, "spec.type: Invalid value: …type cannot change: make another ModelProvider"},
		{"a provider's endpoint may", v1alpha1.ModelProviders, modelProvider, `spec: { endpoint: "https://eu.anthropic.example" }`, ""},
		{"a client turns public", v1alpha1.OAuthClients, oauthClient, `spec: { public: true, secretRef: null }`, "public and secretRef cannot change into one another"},
		{"a client takes another secret", v1alpha1.OAuthClients, oauthClient, `spec: { secretRef: { name: rotated } }`, ""},
		{"a tenant's policy may", v1alpha1.KoraTenants, tenant, `spec: { deletionPolicy: Delete, suspended: true }`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			resources := place(t, c.resource)
			was := made(t, resources, object(t, c.base))
			next := merged(t, c.base, c.change)
			next.SetResourceVersion(was.GetResourceVersion())
			_, err := resources.Update(t.Context(), next, metav1.UpdateOptions{})
			if c.want == "" && err != nil || c.want != "" && (!apierrors.IsInvalid(err) || !says(err, c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

package v1alpha1_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/runkora/kora/operator/api/v1alpha1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// R50: the status as it was decided survives the API server, typed to typed.
func TestTenantStatusIsKept(t *testing.T) {
	resources := place(t, v1alpha1.KoraTenants)
	was := made(t, resources, object(t, tenant))
	var typed v1alpha1.KoraTenant
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(was.Object, &typed); err != nil {
		t.Fatal(err)
	}
	moment := metav1.NewTime(time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC))
	typed.Status = v1alpha1.KoraTenantStatus{
		CommonStatus: v1alpha1.CommonStatus{ObservedGeneration: 1, Conditions: []metav1.Condition{
			{Type: v1alpha1.ConditionReady, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonPartNotReady, Message: "one network policy is not right", LastTransitionTime: moment, ObservedGeneration: 1}}},
		Namespace: v1alpha1.TenantNamespace("data"), CANotAfter: &moment,
		Inventory: []v1alpha1.InventoryItem{{Kind: "NetworkPolicy", Name: "default-deny", State: v1alpha1.InventoryFailed, Reason: "the API server refused it"}},
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&typed)
	if err != nil {
		t.Fatal(err)
	}
	got, err := resources.UpdateStatus(t.Context(), &unstructured.Unstructured{Object: fields}, metav1.UpdateOptions{FieldValidation: "Strict"})
	if err != nil {
		t.Fatal(err)
	}
	var back v1alpha1.KoraTenant
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(got.Object, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(typed.Status, back.Status); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
}

// R50 to R52: a status that breaks its own rules is refused, so that no reader has to expect it.
func TestWrongStatusIsRefused(t *testing.T) {
	for _, c := range []struct{ name, resource, status, want string }{
		{"one condition twice", v1alpha1.Connections, `conditions: [{ type: Ready, status: "True", reason: A, message: "", lastTransitionTime: "2027-01-02T03:04:05Z" }, { type: Ready, status: "False", reason: A, message: "", lastTransitionTime: "2027-01-02T03:04:05Z" }]`, "Duplicate value"},
		{"a reason in words", v1alpha1.Connections, `conditions: [{ type: Ready, status: "True", reason: all is well, message: "", lastTransitionTime: "2027-01-02T03:04:05Z" }]`, "status.conditions[0].reason"},
		{"a negative generation", v1alpha1.MCPServers, `observedGeneration: -1`, "status.observedGeneration"},
		{"a digest that is none", v1alpha1.SandboxImages, `digest: "sha256:abc"`, "status.digest"},
		{"a platform twice", v1alpha1.SandboxImages, `platforms: [linux/amd64, linux/amd64]`, "Duplicate value"},
		{"an object twice", v1alpha1.KoraTenants, `inventory: [{ kind: A, name: a, state: Ready }, { kind: A, name: a, state: Failed }]`, "Duplicate value"},
		{"a state that is none", v1alpha1.KoraTenants, `inventory: [{ kind: A, name: a, state: Odd }]`, "Unsupported value"},
	} {
		t.Run(c.name, func(t *testing.T) {
			resources := place(t, c.resource)
			was := made(t, resources, object(t, examples[c.resource]))
			base, err := json.Marshal(was)
			if err != nil {
				t.Fatal(err)
			}
			_, err = resources.UpdateStatus(t.Context(), merged(t, string(base), "status: { "+c.status+" }"), metav1.UpdateOptions{})
			if !apierrors.IsInvalid(err) || !says(err, c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

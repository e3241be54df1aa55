package operatortest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Frozen is what the API server says of a write in a namespace that is frozen.
const Frozen = "frozen by the cluster"

// Freeze has a policy of the API server refuse the operator's writes of one resource
// in a namespace, and to the namespace itself: for a reason of the cluster's, and not
// for want of a right. It gives what ends that; Refuses waits until either holds.
func (w *World) Freeze(t testing.TB, home, group, resource string) (thaw func()) {
	t.Helper()
	policy := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy", "metadata": map[string]any{"name": "frozen"},
		"spec": map[string]any{
			"failurePolicy": "Fail",
			"matchConstraints": map[string]any{"resourceRules": []any{map[string]any{
				"apiGroups": []any{group}, "apiVersions": []any{"*"}, "operations": []any{"CREATE", "UPDATE"}, "resources": []any{resource}}}},
			"matchConditions": []any{
				map[string]any{"name": "operator", "expression": "request.userInfo.username.endsWith(':kora-operator')"},
				map[string]any{"name": "home", "expression": fmt.Sprintf("request.namespace == %q || request.name == %q", home, home)}},
			"validations": []any{map[string]any{"expression": "false", "message": Frozen}},
		}}}
	binding := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding", "metadata": map[string]any{"name": "frozen"},
		"spec": map[string]any{"policyName": "frozen", "validationActions": []any{"Deny"}}}}
	w.Apply(t, policy, binding)
	return func() {
		api := w.Cluster.Client().AdmissionregistrationV1()
		_ = api.ValidatingAdmissionPolicyBindings().Delete(context.Background(), "frozen", metav1.DeleteOptions{})
		_ = api.ValidatingAdmissionPolicies().Delete(context.Background(), "frozen", metav1.DeleteOptions{})
	}
}

// Refuses waits until the API server refuses such a write, or takes it.
func Refuses(t testing.TB, refuses bool, write func() error) {
	t.Helper()
	Eventually(t, func() error {
		err := write()
		if refused := err != nil && strings.Contains(err.Error(), Frozen); refused != refuses {
			return fmt.Errorf("refused: %v, want %v (%v)", refused, refuses, err)
		}
		return nil
	})
}

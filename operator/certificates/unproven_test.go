package certificates_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/operator/certificates"
	"github.com/runkora/kora/operator/operatortest"
)

// of another admission, as clusters have it: it refuses what the webhook must, and is asked
// before it.
const anothersPolicy = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: every-object-has-a-team}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [runkora.io], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: ["*"]}]
  validations: [{expression: "'team' in object.metadata.?labels.orValue({})", message: "every object must have the label team"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: every-object-has-a-team}
spec: {policyName: every-object-has-a-team, validationActions: [Deny]}
`

// R54: where somebody else's policy refuses the dry run, that is told in an event with its
// words and the way out, and when it is gone the webhooks are proved.
func TestADryRunThatAnotherRefusesIsTold(t *testing.T) {
	h := newHooks(t)
	for document := range strings.SplitSeq(anothersPolicy, "---\n") {
		o := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(document), &o.Object); err != nil {
			t.Fatal(err)
		}
		h.Apply(t, o)
		t.Cleanup(func() { _ = h.Admin.Delete(context.Background(), o.DeepCopy()) })
	}
	operatortest.Eventually(t, func() error { return unlabelled(t, h) })
	h.Start(t)
	h.Endpoint(t, true)
	h.SaidWith(t, "WebhooksUnproven", "every object must have the label team")
	h.Policies(t, "Ignore Ignore")
	binding := &unstructured.Unstructured{}
	binding.SetAPIVersion("admissionregistration.k8s.io/v1")
	binding.SetKind("ValidatingAdmissionPolicyBinding")
	binding.SetName("every-object-has-a-team")
	if err := h.Admin.Delete(t.Context(), binding); err != nil {
		t.Fatal(err)
	}
	h.Policies(t, "Fail Fail")
	h.SaidWith(t, "WebhooksEnforced", "nothing passes without it")
}

// unlabelled gives nil when the policy refuses what has no label.
func unlabelled(t *testing.T, h *hooks) error {
	t.Helper()
	canary, _ := certificates.Canary(operatortest.System)
	if err := h.Admin.Create(t.Context(), canary, client.DryRunAll); err == nil || !strings.Contains(err.Error(), "label team") {
		return fmt.Errorf("not yet: %w", err)
	}
	return nil
}

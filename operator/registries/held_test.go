package registries_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/registries"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

// forged has the operator's labels, and is anybody's.
func forged(namespace string) *unstructured.Unstructured {
	o := serviceEntry("x", "kora-model-x")
	o.SetNamespace(namespace)
	o.SetLabels(map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator, registries.LabelProvider: "x"})
	o.Object["spec"] = map[string]any{"hosts": []any{"x.example.com"}, "resolution": "DNS", "ports": []any{map[string]any{"name": "tls", "number": int64(443), "protocol": "TLS"}}}
	return o
}

// R50, R51: a ServiceEntry with the operator's labels where the operator has no rights
// is nobody's business: nothing is tried in vain, which a right that lacks would show.
func TestForeignServiceEntriesElsewhereAreLeftAlone(t *testing.T) {
	p := begin(t, map[string]any{"istio": map[string]any{"outboundTrafficPolicy": "REGISTRY_ONLY"}}, "elsewhere")
	left := &unstructured.Unstructured{}
	left.SetAPIVersion("v1")
	left.SetKind("Namespace")
	left.SetName("kora-tenant-nobodys")
	p.create(t, left)
	t.Cleanup(func() { _ = p.Admin.Delete(context.Background(), left) })
	for _, namespace := range []string{"default", left.GetName()} {
		o := forged(namespace)
		p.create(t, o)
		t.Cleanup(func() { _ = p.Admin.Delete(context.Background(), o) })
	}
	p.create(t, secret("elsewhere", "s", "key"))
	o := modelProvider("elsewhere", "one", "https://models.example.com", "s")
	p.create(t, o) // so passes come after it
	says(t, p, o, v1alpha1.ReasonSucceeded)
	p.holds(t, "modelprovider", "elsewhere/one")
	p.Quiet(t)
	for _, namespace := range []string{"default", left.GetName()} {
		o := forged(namespace)
		if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(o), o); err != nil {
			t.Error(err)
		}
	}
	p.failedNone(t)
}

// failedNone: no pass failed, whose next time would be the queue's to choose.
func (p *place) failedNone(t *testing.T) {
	t.Helper()
	for line := range strings.Lines(p.log.String()) {
		if strings.Contains(line, "Reconciler error") && strings.Contains(line, `"registries"`) {
			t.Error(line)
		}
	}
}

// kept is a policy of the API server's by which no ServiceEntry of a namespace goes.
func kept(t *testing.T, p *place, namespace string) (lift func()) {
	t.Helper()
	var all []*unstructured.Unstructured
	for document := range strings.SplitSeq(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: kept}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [networking.istio.io], apiVersions: ["*"], operations: [DELETE], resources: [serviceentries]}]
  validations: [{expression: "request.namespace != '`+namespace+`'", message: "it is kept"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: kept}
spec: {policyName: kept, validationActions: [Deny]}
`, "---\n") {
		o := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(document), &o.Object); err != nil {
			t.Fatal(err)
		}
		all = append(all, o)
	}
	p.Apply(t, all...)
	lift = func() {
		for _, o := range all {
			_ = p.Admin.Delete(context.Background(), o.DeepCopy())
		}
	}
	t.Cleanup(lift)
	return lift
}

// R51: what cannot be deleted in one tenant's namespace fails no pass: whoever waits
// elsewhere is looked at again in time, and it goes once it may.
func TestADeletionThatFailsHoldsUpNobody(t *testing.T) {
	p := begin(t, map[string]any{"istio": map[string]any{"outboundTrafficPolicy": "REGISTRY_ONLY"}, "operator": map[string]any{"syncPeriod": "1h"}}, "stuck", "other")
	p.create(t, secret("stuck", "s", "key"))
	o := modelProvider("stuck", "one", "https://models.example.com", "s")
	p.create(t, o)
	says(t, p, o, v1alpha1.ReasonSucceeded)
	entry := serviceEntry("stuck", "kora-model-one")
	lift := kept(t, p, entry.GetNamespace())
	operatortest.Eventually(t, func() error {
		if err := p.Admin.Delete(t.Context(), entry.DeepCopy(), client.DryRunAll); err == nil {
			return errors.New("it may go")
		}
		return nil
	})
	p.patch(t, o, `{"spec":{"secretRef":{"key":"missing"}}}`)
	says(t, p, o, v1alpha1.ReasonSecretKeyMissing)
	operatortest.Eventually(t, func() error {
		if text := p.log.String(); !strings.Contains(text, "is not all as it should be") {
			return fmt.Errorf("not told")
		}
		return nil
	})
	waits := connection("other", "c", "later")
	p.create(t, waits)
	says(t, p, waits, v1alpha1.ReasonReferenceNotFound)
	p.create(t, secret("other", "later", "token"))
	says(t, p, waits, v1alpha1.ReasonSucceeded)
	p.failedNone(t)
	lift()
	operatortest.Eventually(t, func() error { return absent(t.Context(), p, entry) })
}

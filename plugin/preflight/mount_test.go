package preflight

import (
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/internal/testcluster/mesh"
	engine "github.com/runkora/kora/operator/preflight"
)

// byPolicy refuses pods of the host's network in a namespace, and what binds it there.
func byPolicy(namespace string) string {
	return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: no-host-network }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }]
  validations: [{ expression: "!has(object.spec.hostNetwork) || !object.spec.hostNetwork" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: no-host-network }
spec:
  policyName: no-host-network
  validationActions: [Deny]
  matchResources: { namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: ` + namespace + ` } } }
`
}

// R31, R55: before the node agent's namespace is there others stand in for it: what a
// rule refuses is told with the place where it was tried, and a level of theirs alone
// is no answer.
func TestClusterOthersStandInForTheNodeAgentsNamespace(t *testing.T) {
	c := platform(t)
	look := func() engine.Outcome { return seenAlone(t, c, "privileged-pods", "sandboxMount.enabled=true") }
	if o := look(); o.State != engine.Passed {
		t.Errorf("%+v", o)
	}
	for namespace, want := range map[string]engine.State{"default": engine.Warned, "kube-system": engine.Failed} {
		mesh.Kubectl(t, c, byPolicy(namespace), "apply", "-f", "-")
		var o engine.Outcome
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) { // the server reads its policies in its own time
			if o = look(); o.State != engine.Passed || time.Now().After(deadline) {
				break
			}
		}
		if o.State != want || !strings.Contains(o.Findings[0].Message, "in namespace "+namespace+", where it was tried") || !strings.Contains(o.Findings[0].Fix, "get validatingadmissionpolicy no-host-network") {
			t.Errorf("%s: %+v", namespace, o)
		}
		mesh.Kubectl(t, c, byPolicy(namespace), "delete", "-f", "-")
		for deadline := time.Now().Add(time.Minute); look().State != engine.Passed && time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		}
	}
	for _, namespace := range []string{"default", "kube-system"} {
		mesh.Kubectl(t, c, "", "label", "namespace", namespace, "pod-security.kubernetes.io/enforce=restricted")
		defer mesh.Kubectl(t, c, "", "label", "namespace", namespace, "pod-security.kubernetes.io/enforce-")
		want := map[string]engine.State{"default": engine.Passed, "kube-system": engine.Unchecked}[namespace]
		if o := look(); o.State != want {
			t.Errorf("%s at another level: %+v", namespace, o)
		}
	}
}

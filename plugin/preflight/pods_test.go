package preflight

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/internal/testcluster/mesh"
	engine "github.com/runkora/kora/operator/preflight"
)

const limits = `{"apiVersion":"v1","kind":"LimitRange","metadata":{"name":"small","namespace":"` + system + `"},"spec":{"limits":[{"type":"Container","max":{"memory":"64Mi"}}]}}`

// R55: the pods of the release's workloads are tried, one by one against what rules
// them and all together against the quotas: the API server takes their Deployments
// whatever becomes of the pods.
func TestClusterThePodsOfTheReleaseAreTried(t *testing.T) {
	c := platform(t)
	for _, by := range []struct{ name, make, object, found, gone string }{
		{"a LimitRange", limits, "Pod " + system + "/kora-agents, of the Deployment", "a LimitRange: maximum memory per Container is 64Mi", "limitrange"},
		{"a quota without room for one", quota("small", `{"pods":"0"}`), "Pod " + system + "/kora-agents, of the Deployment", "exceeded quota: small", "resourcequota"},
		{"a quota without room for all", quota("small", `{"pods":"3"}`), "ResourceQuota " + system + "/small", "pods: ", "resourcequota"},
		{"a quota of memory", quota("small", `{"requests.memory":"2Gi"}`), "ResourceQuota " + system + "/small", "requests.memory: ", "resourcequota"},
		{"a quota of Services", quota("small", `{"services":"3"}`), "ResourceQuota " + system + "/small", "services: ", "resourcequota"},
		{"a quota of objects", quota("small", `{"count/deployments.apps":"2","count/networkpolicies.networking.k8s.io":"2"}`), "ResourceQuota " + system + "/small", "are left; count/networkpolicies.networking.k8s.io: ", "resourcequota"},
		{"a quota with room", quota("small", `{"services":"100","count/deployments.apps":"100","configmaps":"100","count/serviceaccounts":"100","pods":"100","requests.memory":"200Gi","requests.cpu":"100"}`), "", "", "resourcequota"},
	} {
		mesh.Kubectl(t, c, by.make, "create", "-f", "-")
		o := seenAlone(t, c, "release")
		at := slices.IndexFunc(o.Findings, func(f engine.Finding) bool { return f.Object == by.object })
		switch {
		case by.object == "" && o.State != engine.Passed:
			t.Errorf("%s: %+v", by.name, o.Findings)
		case by.object != "" && (at < 0 || o.Findings[at].State != engine.Failed || !strings.Contains(o.Findings[at].Found, by.found) || o.Findings[at].Fix == ""):
			t.Errorf("%s: %+v", by.name, o.Findings)
		}
		mesh.Kubectl(t, c, "", "-n", system, "delete", by.gone, "small")
	}
}

// silent is a webhook of pods to whose Service nothing answers.
const silent = `apiVersion: v1
kind: Service
metadata: { name: nobody, namespace: ` + system + ` }
spec: { ports: [{ port: 443 }] }
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: nobody-preflight }
webhooks:
- name: nobody.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Fail
  timeoutSeconds: 2
  namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: ` + system + ` } }
  rules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }]
  clientConfig: { service: { name: nobody, namespace: ` + system + ` } }
`

// R55: a webhook of the cluster that gives no answer is told once, as what nobody could
// ask, with what looks at it; nothing of it is a refusal.
func TestClusterAWebhookThatDoesNotAnswer(t *testing.T) {
	c := platform(t)
	mesh.Kubectl(t, c, silent, "apply", "-f", "-")
	defer mesh.Kubectl(t, c, silent, "delete", "-f", "-")
	var o engine.Outcome
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) { // the server reads its webhooks in its own time
		if o = seenAlone(t, c, "release"); o.State != engine.Passed || time.Now().After(deadline) {
			break
		}
	}
	if o.State != engine.Unchecked || len(o.Findings) != 1 {
		t.Fatalf("%s %+v", o.State, o.Findings)
	}
	if f := o.Findings[0]; !strings.Contains(f.Found, `webhook "nobody.example.com" of Service `+system+"/nobody does not answer") || !strings.Contains(f.Fix, "-n "+system+" describe service nobody") || !strings.Contains(f.Object, "more") {
		t.Errorf("%+v", f)
	}
}

// R55: agents run in the namespaces of tenants: no quota and no LimitRange of kora's own
// namespace refuses one, and what rules pods anywhere does.
func TestClusterAgentsAreNotHeldToTheSystemsQuota(t *testing.T) {
	c := platform(t)
	agents := func(o engine.Outcome) []engine.Finding {
		return slices.DeleteFunc(slices.Clone(o.Findings), func(f engine.Finding) bool {
			return !strings.Contains(f.Object, "/agent-sample") && !strings.Contains(f.Object, "/sandbox-sample")
		})
	}
	for what, object := range map[string]string{
		"resourcequota": quota("small", `{"pods":"0","persistentvolumeclaims":"0","count/statefulsets.apps":"0"}`), "limitrange": limits,
	} {
		mesh.Kubectl(t, c, object, "create", "-f", "-")
		if o := seenAlone(t, c, "release"); o.State != engine.Failed || len(agents(o)) > 0 {
			t.Errorf("%s: %s %+v", what, o.State, agents(o))
		}
		mesh.Kubectl(t, c, "", "-n", system, "delete", what, "small")
	}
	const refused = `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy%s","metadata":{"name":"no-sandbox"},"spec":%s}`
	policy := fmt.Sprintf(refused, "", `{"failurePolicy":"Fail","matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["pods"]}]},"validations":[{"expression":"!object.metadata.name.startsWith('sandbox-sample')"}]}`) +
		fmt.Sprintf(refused, "Binding", `{"policyName":"no-sandbox","validationActions":["Deny"]}`)
	mesh.Kubectl(t, c, policy, "create", "-f", "-")
	defer mesh.Kubectl(t, c, policy, "delete", "-f", "-")
	var found []engine.Finding
	for deadline := time.Now().Add(time.Minute); len(found) == 0 && time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		found = agents(seenAlone(t, c, "release"))
	}
	if len(found) == 0 || !strings.Contains(found[0].Found, "no-sandbox") {
		t.Errorf("%+v", found)
	}
}

func quota(name, hard string) string {
	return `{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"` + name + `","namespace":"` + system + `"},"spec":{"hard":` + hard + `}}`
}

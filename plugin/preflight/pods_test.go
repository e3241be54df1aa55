package preflight

import (
	"slices"
	"strings"
	"testing"

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
		{"a quota with room", quota("small", `{"pods":"100","requests.memory":"200Gi","requests.cpu":"100"}`), "", "", "resourcequota"},
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

func quota(name, hard string) string {
	return `{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"` + name + `","namespace":"` + system + `"},"spec":{"hard":` + hard + `}}`
}

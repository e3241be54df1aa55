package agents_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runkora/kora/operator/agents"
)

// R11: keys that identify a pod or wire it into the mesh are kora's.
func TestOwnedKnowsKorasKeysR11(t *testing.T) {
	for _, key := range []string{
		"runkora.io/agent-type", "runkora.io/anything", "injection.runkora.io/template",
		"istio.io/rev", "sidecar.istio.io/inject", "traffic.sidecar.istio.io/excludeOutboundPorts", "security.istio.io/tlsMode",
		"Sidecar.Istio.IO/inject", "spiffe.io/spiffe-id", "audience.spiffe.io/x",
		"app.kubernetes.io/name", "app.kubernetes.io/instance", "app.kubernetes.io/managed-by", "app.kubernetes.io/part-of",
		"statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index",
		"controller-revision-hash", "controller-uid", "job-name", "pod-template-hash",
		"container.apparmor.security.beta.kubernetes.io/session-manager",
		"container.seccomp.security.alpha.kubernetes.io/sandbox", "seccomp.security.alpha.kubernetes.io/pod",
	} {
		if reason, owned := agents.Owned(key); !owned || reason == "" {
			t.Errorf("%s: owned %v, reason %q", key, owned, reason)
		}
	}
}

// R11: what looks like a key of kora's but is not stays free.
func TestOwnedLeavesOtherKeysR11(t *testing.T) {
	for _, key := range []string{
		"", "team", "app", "version", "runkora.io", "istio.io", "myrunkora.io/x", "notistio.io/inject", "istio.io.example/inject",
		"example.com/runkora.io", "app.kubernetes.io/version", "app.kubernetes.io/component", "name", "karpenter.sh/do-not-disrupt",
		"cluster-autoscaler.kubernetes.io/safe-to-evict", "seccomp.security.alpha.kubernetes.io/other", "prometheus.io/scrape",
	} {
		if reason, owned := agents.Owned(key); owned || reason != "" {
			t.Errorf("%s: owned %v, reason %q", key, owned, reason)
		}
	}
}

// R11: even settings that nobody checked cannot set a key of kora's, neither over
// kora's own value nor beside it.
func TestBuildIgnoresOwnedKeysInSettingsR11(t *testing.T) {
	s := plain()
	forged := map[string]string{
		"runkora.io/agent-slug": "forged", "runkora.io/component": "forged", "sidecar.istio.io/inject": "false",
		"app.kubernetes.io/name": "forged", "statefulset.kubernetes.io/pod-name": "agent-other-0",
		"container.apparmor.security.beta.kubernetes.io/sandbox": "unconfined",
	}
	for _, w := range []*agents.Workload{&s.SessionManager, &s.Sandbox} {
		w.PodLabels, w.PodAnnotations = forged, forged
	}
	clean := agents.Build(plain())
	if diff := cmp.Diff(clean, agents.Build(s)); diff != "" {
		t.Errorf("-clean +forged:\n%s", diff)
	}
}

// R5: what gives a pod a cloud's identity is known, whatever its spelling.
func TestCloudIdentityKnowsTheCloudsKeysR5(t *testing.T) {
	for key, is := range map[string]bool{
		"azure.workload.identity/use": true, "azure.workload.identity/inject-proxy-sidecar": true, "aadpodidbinding": true, "AADPodIdBinding": true,
		"iam.amazonaws.com/role": true, "IAM.amazonaws.com/external-id": true, "eks.amazonaws.com/role-arn": true, "iam.gke.io/gcp-service-account": true,
		"cloud.google.com/identity": true, "x.iam.gke.io/y": true, "pod-identity.alibabacloud.com/injection": true,
		"team": false, "azure.workload.identity": false, "example.com/iam.gke.io": false, "notiam.amazonaws.com/role": false,
		"cluster-autoscaler.kubernetes.io/safe-to-evict": false, "karpenter.sh/do-not-disrupt": false, "": false, "/": false,
	} {
		if got := agents.CloudIdentity(key); got != is {
			t.Errorf("%q: %v", key, got)
		}
	}
}

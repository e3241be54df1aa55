package agents_test

import (
	"testing"

	"github.com/runkora/kora/operator/agents"
	corev1 "k8s.io/api/core/v1"
	admission "k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

// pods are the two pods of one agent type, as the API server would see them.
func pods(o agents.Objects) map[string]*corev1.Pod {
	template := o.StatefulSet.Spec.Template
	return map[string]*corev1.Pod{
		"session-manager": {ObjectMeta: template.ObjectMeta, Spec: template.Spec},
		"sandbox":         o.Sandbox,
	}
}

// R6: both pods pass the level restricted, by Kubernetes' own checks.
func TestPodsPassPodSecurityRestrictedR6(t *testing.T) {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	level := admission.LevelVersion{Level: admission.LevelRestricted, Version: admission.LatestVersion()}
	for name, s := range variants() {
		for component, pod := range pods(agents.Build(s)) {
			for _, result := range evaluator.EvaluatePod(level, &pod.ObjectMeta, &pod.Spec) {
				if !result.Allowed {
					t.Errorf("%s: %s: %s: %s", name, component, result.ForbiddenReason, result.ForbiddenDetail)
				}
			}
		}
	}
}

// R6: uid and fsGroup 100, which the images are made for.
func TestPodsRunAsUser100R6(t *testing.T) {
	for component, pod := range pods(agents.Build(plain())) {
		security := pod.Spec.SecurityContext
		if *security.RunAsUser != 100 || *security.RunAsGroup != 100 || *security.FSGroup != 100 {
			t.Errorf("%s: %+v", component, security)
		}
		if root := pod.Spec.Containers[0].SecurityContext.ReadOnlyRootFilesystem; root == nil || !*root {
			t.Errorf("%s: the root filesystem can be written", component)
		}
	}
}

// R5: the agent's ServiceAccount has the cloud identity, the sandbox never does,
// and nobody has an API token.
func TestOnlyTheAgentHasACloudIdentityR5(t *testing.T) {
	s := full()
	o := agents.Build(s)
	if got := o.ServiceAccount.Annotations["eks.amazonaws.com/role-arn"]; got != "arn:aws:iam::123456789012:role/kora-agent" {
		t.Errorf("the annotation is %q", got)
	}
	if *o.ServiceAccount.AutomountServiceAccountToken {
		t.Error("the ServiceAccount mounts tokens")
	}
	want := map[string]string{"session-manager": "agent-coder", "sandbox": "default"}
	for component, pod := range pods(o) {
		if pod.Spec.ServiceAccountName != want[component] || *pod.Spec.AutomountServiceAccountToken {
			t.Errorf("%s: %q, token %v", component, pod.Spec.ServiceAccountName, *pod.Spec.AutomountServiceAccountToken)
		}
		if _, leaked := pod.Annotations["eks.amazonaws.com/role-arn"]; leaked {
			t.Errorf("%s: carries the cloud identity", component)
		}
	}
}

package podsecurity_test

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/operator/podsecurity"
)

// R6, R14: whatever a pod says of its users, the same is asked of it: what is refused
// with the node's users is refused with its own, and what passes passes.
func TestUsersOfThePodsOwnChangeNothing(t *testing.T) {
	yes, no, root, unmasked := true, false, int64(0), corev1.UnmaskedProcMount
	sound := func() *corev1.PodSpec {
		return &corev1.PodSpec{
			SecurityContext: &corev1.PodSecurityContext{RunAsNonRoot: &yes, SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault}},
			Containers: []corev1.Container{{Name: "c", SecurityContext: &corev1.SecurityContext{
				AllowPrivilegeEscalation: &no, Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}}}}},
		}
	}
	for name, c := range map[string]struct {
		change func(pod *corev1.PodSecurityContext, c *corev1.SecurityContext)
		says   string
	}{
		"nothing":           {func(*corev1.PodSecurityContext, *corev1.SecurityContext) {}, ""},
		"a root":            {func(_ *corev1.PodSecurityContext, c *corev1.SecurityContext) { c.RunAsUser = &root }, "runAsUser=0"},
		"maybe a root":      {func(_ *corev1.PodSecurityContext, c *corev1.SecurityContext) { c.RunAsNonRoot = &no }, "runAsNonRoot != true"},
		"a pod of root's":   {func(p *corev1.PodSecurityContext, _ *corev1.SecurityContext) { p.RunAsUser = &root }, "runAsUser=0"},
		"nobody says":       {func(p *corev1.PodSecurityContext, _ *corev1.SecurityContext) { p.RunAsNonRoot = nil }, "runAsNonRoot != true"},
		"/proc, unmasked":   {func(_ *corev1.PodSecurityContext, c *corev1.SecurityContext) { c.ProcMount = &unmasked }, "procMount"},
		"a pod's escalates": {func(_ *corev1.PodSecurityContext, c *corev1.SecurityContext) { c.AllowPrivilegeEscalation = nil }, "allowPrivilegeEscalation != false"},
	} {
		var told [3][]string
		for n, users := range []*bool{nil, &yes, &no} {
			spec := sound()
			c.change(spec.SecurityContext, spec.Containers[0].SecurityContext)
			spec.HostUsers = users
			for _, r := range podsecurity.Refusals(&metav1.ObjectMeta{}, spec) {
				told[n] = append(told[n], r.ForbiddenReason)
			}
			if spec.HostUsers != users {
				t.Errorf("%s: the pod is changed", name)
			}
		}
		all := strings.Join(told[2], "; ")
		if !slices.Equal(told[0], told[1]) || !slices.Equal(told[0], told[2]) || (c.says == "") != (all == "") || !strings.Contains(all, c.says) {
			t.Errorf("%s: %q", name, told)
		}
	}
}

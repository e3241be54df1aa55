package guard

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/operator/agents"
)

// R14, R21: what nodes pull with is in each tenant's namespace, and no agent reads it:
// neither by a volume nor by a variable, of a container of kora's or another. It stays
// in imagePullSecrets, and a Secret of the team's own is let through.
func TestPullSecretsAreForNodes(t *testing.T) {
	s := agents.Defaults("1.4.0")
	s.Slug, s.TypeID, s.Namespace, s.PullSecrets = "coder", "render-coder", "kora-tenant-example", []string{"registry"}
	built := agents.Build(s).Sandbox
	local := func(name string) corev1.LocalObjectReference { return corev1.LocalObjectReference{Name: name} }
	for road, c := range map[string]struct {
		at     string
		change func(p *corev1.Pod, name string)
	}{
		"a volume": {"spec.volumes[name=x].secret.secretName", func(p *corev1.Pod, name string) {
			p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: "x", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: name}}})
		}},
		"a variable": {"spec.containers[name=sandbox].env[name=X].valueFrom.secretKeyRef.name", func(p *corev1.Pod, name string) {
			c := &p.Spec.Containers[0]
			c.Env = append(c.Env, corev1.EnvVar{Name: "X", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: local(name), Key: "k"}}})
		}},
		"an added container": {"spec.initContainers[name=first].envFrom[0].secretRef.name", func(p *corev1.Pod, name string) {
			p.Spec.InitContainers = append(p.Spec.InitContainers, corev1.Container{Name: "first", Image: "x", EnvFrom: []corev1.EnvFromSource{{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: local(name)}}}})
		}},
	} {
		for name, refused := range map[string]bool{"registry": true, "own": false} {
			patched := built.DeepCopy()
			patched.Spec.ImagePullSecrets = append(patched.Spec.ImagePullSecrets, local("another"))
			c.change(patched, name)
			found := Check(built, patched)
			if refused != (len(found) == 1) || refused && (found[0].Code != faults.ForbiddenVolume || string(found[0].Path) != c.at || found[0].Found != name || found[0].Fix == "") {
				t.Errorf("%s of %s: %+v", road, name, found)
			}
		}
	}
}

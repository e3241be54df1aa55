package injection

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
)

func local(name string) corev1.LocalObjectReference { return corev1.LocalObjectReference{Name: name} }

// R50: no pod of a tenant, an agent's or another, gets the key of an authority, by
// any road; a Secret of the tenant's own is its own affair.
func TestNoPodHasAnAuthoritysKey(t *testing.T) {
	volume := func(source corev1.VolumeSource) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: "x", VolumeSource: source})
		}
	}
	roads := map[string]func(name string) (string, func(*corev1.Pod)){
		"a volume": func(name string) (string, func(*corev1.Pod)) {
			return "secret.secretName", volume(corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: name}})
		},
		"a projected volume": func(name string) (string, func(*corev1.Pod)) {
			return "projected.sources[1].secret.name", volume(corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
				{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: local(name)}}, {Secret: &corev1.SecretProjection{LocalObjectReference: local(name)}}}}})
		},
		"a driver": func(name string) (string, func(*corev1.Pod)) {
			ref := local(name)
			return "csi.nodePublishSecretRef.name", volume(corev1.VolumeSource{CSI: &corev1.CSIVolumeSource{Driver: "a.example.com", NodePublishSecretRef: &ref}})
		},
		"a variable": func(name string) (string, func(*corev1.Pod)) {
			return "spec.containers[0].env[", func(p *corev1.Pod) {
				c := &p.Spec.Containers[0]
				c.Env = append(c.Env, corev1.EnvVar{Name: "X", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: local(name), Key: "tls.key"}}})
			}
		},
		"all variables, first": func(name string) (string, func(*corev1.Pod)) {
			return "spec.initContainers[", func(p *corev1.Pod) {
				c := *p.Spec.Containers[0].DeepCopy()
				c.Name, c.EnvFrom = "first", []corev1.EnvFromSource{{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: local(name)}}}
				p.Spec.InitContainers = append(p.Spec.InitContainers, c)
			}
		},
		"a debugger": func(name string) (string, func(*corev1.Pod)) {
			return "spec.ephemeralContainers[0].envFrom[0]", func(p *corev1.Pod) {
				p.Spec.EphemeralContainers = append(p.Spec.EphemeralContainers, corev1.EphemeralContainer{EphemeralContainerCommon: corev1.EphemeralContainerCommon{
					Name: "debug", EnvFrom: []corev1.EnvFromSource{{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: local(name)}}}}})
			}
		},
	}
	other := func() *corev1.Pod {
		pod := plain()
		pod.Spec.Containers = []corev1.Container{{Name: "x", Image: "x"}}
		return pod
	}
	for road, make := range roads {
		for kind, of := range map[string]func() *corev1.Pod{"sandbox": sandbox, "session-manager": sessionManager, "other": other} {
			for _, name := range []string{v1alpha1.TenantCA, v1alpha1.EgressCA, "own"} {
				pod := of()
				at, change := make(name)
				change(pod)
				_, faults := injector().Inject(pod, tenant)
				said := rules.Message(faults)
				refused := strings.Contains(said, at) && strings.Contains(said, "holds the key of a certificate authority")
				if want := name != "own"; refused != want {
					t.Errorf("%s, %s of %s: %q", road, kind, name, said)
				}
			}
		}
	}
}

package gather

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/operator/preflight/facts"
)

// cniInstaller is Istio's: other networks of pods have a container of that name too.
const cniInstaller = "install-cni"

// roleOf goes by what a pod runs: names of workloads are everybody's own.
func roleOf(pod corev1.PodTemplateSpec) facts.Role {
	for _, known := range [...]struct {
		role    facts.Role
		program string
	}{{facts.SpireAgent, "spire-agent"}, {facts.SpireCSI, "spiffe-csi-driver"}} {
		if runs(pod.Spec, known.program) {
			return known.role
		}
	}
	if installsIstio(pod) {
		return facts.IstioCNI
	}
	return ""
}

// installsIstio tells Istio's installer from another network's: by the image's own
// name, or by the label that Istio's chart gives the pods.
func installsIstio(pod corev1.PodTemplateSpec) bool {
	labelled := pod.Labels["k8s-app"] == "istio-cni-node"
	return slices.ContainsFunc(pod.Spec.Containers, func(c corev1.Container) bool {
		base := baseOf(c.Image)
		return base == cniInstaller || isProgram(c, cniInstaller) && (labelled || strings.Contains(base, "istio"))
	})
}

// runs reports whether a container of a pod runs this program.
func runs(spec corev1.PodSpec, program string) bool {
	return slices.ContainsFunc(spec.Containers, func(c corev1.Container) bool { return isProgram(c, program) })
}

// isProgram goes by the image of any registry, whose name mirrors and hardened images
// put a word before or -fips behind, and by the container's name, as the program's
// own chart has it: that stays whatever the image is called.
func isProgram(c corev1.Container, program string) bool {
	base := strings.TrimSuffix(baseOf(c.Image), "-fips")
	return c.Name == program || base == program || strings.HasSuffix(base, "-"+program)
}

// baseOf is the last word of an image's name, without tag and digest.
func baseOf(image string) string {
	name, _, _ := strings.Cut(image, "@")
	base, _, _ := strings.Cut(name[strings.LastIndex(name, "/")+1:], ":")
	return base
}

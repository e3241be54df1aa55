package guard

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/operator/podsecurity"
)

// Restricted judges a pod as all patches left it, as a whole, by Pod Security
// at "restricted" (R14). At is the path of the pod's spec. When something is
// told of the pod already (by Check or Added), that is put right first, so
// that one fault is not told twice.
func Restricted(at fields.Path, meta *metav1.ObjectMeta, built, patched *corev1.PodSpec, told bool) []Violation {
	c := &checker{}
	if told {
		meta, patched = &metav1.ObjectMeta{}, mended(built, patched)
	}
	for _, r := range podsecurity.Refusals(meta, patched) {
		c.add(Violation{Code: faults.PodSecurity, Path: at, Message: "the pod no longer passes Pod Security restricted: " + r.ForbiddenReason,
			Found: r.ForbiddenDetail, Expected: "restricted", Fix: "see kubernetes.io/docs/concepts/security/pod-security-standards"})
	}
	return c.found
}

// mended is the patched pod with all that has rules of its own as kora built it.
func mended(built, patched *corev1.PodSpec) *corev1.PodSpec {
	out := patched.DeepCopy()
	out.SecurityContext, out.HostUsers = built.SecurityContext, built.HostUsers
	out.HostNetwork, out.HostPID, out.HostIPC = built.HostNetwork, built.HostPID, built.HostIPC
	out.EphemeralContainers = nil
	out.Containers = ours(built.Containers, out.Containers)
	out.InitContainers = ours(built.InitContainers, out.InitContainers)
	out.Volumes = slices.DeleteFunc(out.Volumes, func(v corev1.Volume) bool { return v.HostPath != nil })
	return out
}

// ours are the containers that kora built, under their own security context.
func ours(built, patched []corev1.Container) []corev1.Container {
	var out []corev1.Container
	for _, c := range patched {
		if own := named(built, c.Name); own != nil {
			c.SecurityContext = own.SecurityContext
			out = append(out, c)
		}
	}
	return out
}

// Added judges each container that is not kora's alone, without the help of
// the pod's context (R14).
func Added(at fields.Path, built, patched *corev1.PodSpec) []Violation {
	c := &checker{}
	c.added(at.Child("containers"), built.Containers, patched.Containers, false)
	c.added(at.Child("initContainers"), built.InitContainers, patched.InitContainers, true)
	return c.found
}

func (c *checker) added(at fields.Path, built, patched []corev1.Container, init bool) {
	for _, container := range patched {
		if named(built, container.Name) == nil {
			c.alone(at.Item("name", container.Name), container, init)
		}
	}
}

// alone puts a container into a pod of its own.
func (c *checker) alone(at fields.Path, container corev1.Container, init bool) {
	spec := &corev1.PodSpec{Containers: []corev1.Container{container}}
	if init {
		spec = &corev1.PodSpec{InitContainers: spec.Containers}
	}
	var reasons, details []string
	for _, r := range podsecurity.Refusals(&metav1.ObjectMeta{}, spec) {
		reasons = append(reasons, r.ForbiddenReason)
		details = append(details, strings.ReplaceAll(r.ForbiddenDetail, "pod or container", "container"))
	}
	if len(reasons) > 0 { // of one context, so one fault
		c.add(Violation{Code: faults.AddedContainer, Path: at, Message: "an added container must be restricted by itself: " + strings.Join(reasons, "; "),
			Found: strings.Join(details, "; "), Expected: "restricted", Fix: "set its securityContext: " + restrictedContext})
	}
	c.brought(at.Child("securityContext"), container.SecurityContext)
}

const restrictedContext = "{allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}, runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}"

package guard

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/fields"
)

// system: a pod that says for which system it is has nothing of the other one's.
func (c *checker) system(at fields.Path, s *corev1.PodSpec) {
	const message, fix = "it means nothing on the system that the pod is for", "leave it out, or os"
	linux := s.OS.Name != corev1.Windows
	if !c.needs(at.Child("os").Child("name"), string(s.OS.Name), "the system has no name") {
		return
	}
	if p := s.SecurityContext; p != nil && (linux && p.WindowsOptions != nil || !linux && ofLinux(*p)) {
		c.unsound(at.Child("securityContext"), message, string(s.OS.Name), "(none)", fix)
	}
	if !linux && (s.Resources != nil || s.HostUsers != nil || s.HostPID || s.HostIPC || s.ShareProcessNamespace != nil) {
		c.unsound(at.Child("os"), "resources of the whole pod, and what it shares with its node, mean nothing on this system", string(s.OS.Name), string(corev1.Linux), fix)
	}
	for field, list := range map[string][]corev1.Container{"initContainers": s.InitContainers, "containers": s.Containers} {
		for i := range list {
			if o := list[i].SecurityContext; o != nil && (linux && o.WindowsOptions != nil || !linux && containerOfLinux(*o)) {
				c.unsound(at.Child(field).Index(i).Child("securityContext"), message, string(s.OS.Name), "(none)", fix)
			}
		}
	}
}

// ofLinux reports whether a pod's context has more than Windows knows.
func ofLinux(p corev1.PodSecurityContext) bool {
	p.WindowsOptions, p.RunAsNonRoot = nil, nil
	return !reflect.ValueOf(p).IsZero()
}

func containerOfLinux(o corev1.SecurityContext) bool {
	o.WindowsOptions, o.RunAsNonRoot = nil, nil
	return !reflect.ValueOf(o).IsZero()
}

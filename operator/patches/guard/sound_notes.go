package guard

import (
	"path"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/fields"
)

// Annotations of pods that the API server reads, and the keys of older ones that it
// still refuses where they are wrong.
const (
	alphaTolerations  = "scheduler.alpha.kubernetes.io/tolerations"
	podSeccomp        = corev1.SeccompPodAnnotationKey
	containerSeccomp  = corev1.SeccompContainerAnnotationKeyPrefix
	containerAppArmor = corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix
)

// podNotes judges the annotations of a pod that the API server reads.
func (c *checker) podNotes(at fields.Path, all map[string]string, s *corev1.PodSpec) {
	if v, set := all[corev1.PodDeletionCost]; set {
		if n, err := strconv.ParseInt(v, 10, 32); err != nil || strconv.FormatInt(n, 10) != v {
			c.unsound(at.Child(corev1.PodDeletionCost), "the cost of deleting a pod is a number", v, "a whole number, such as 100", "")
		}
	}
	for key, why := range map[string]string{corev1.MirrorPodAnnotationKey: "the kubelet's alone", alphaTolerations: "read no longer: a pod has spec.tolerations"} {
		if v, set := all[key]; set {
			c.unsound(at.Child(key), "this annotation is "+why, v, "(none)", "")
		}
	}
	for _, key := range sorted(all) {
		c.profileNote(at.Child(key), key, all[key], s)
	}
}

// profileNote judges profiles as older pods named them: in the form of their time,
// and the same as the field says that came after them.
func (c *checker) profileNote(at fields.Path, key, value string, s *corev1.PodSpec) {
	const fix = "use securityContext instead"
	if name, is := strings.CutPrefix(key, containerAppArmor); is {
		if of := containerOf(s, name); of == nil || !appArmorNote(value) || !sameAppArmor(value, s, of) {
			c.unsound(at, "no such profile for a container of the pod", value, "(none)", fix)
		}
		return
	}
	name, is := strings.CutPrefix(key, containerSeccomp)
	if !is && key != podSeccomp {
		return
	}
	if field := seccompOf(s, name, key == podSeccomp); !seccompNote(value) || field != nil && !sameSeccomp(value, field) {
		c.unsound(at, "no such profile of system calls, or not that of the field", value, "(none)", fix)
	}
}

func containerOf(s *corev1.PodSpec, name string) *corev1.Container {
	for _, list := range [][]corev1.Container{s.InitContainers, s.Containers} {
		if i := slices.IndexFunc(list, func(o corev1.Container) bool { return o.Name == name }); i >= 0 {
			return &list[i]
		}
	}
	return nil
}

func appArmorNote(v string) bool {
	return v == "" || v == corev1.DeprecatedAppArmorBetaProfileRuntimeDefault || v == corev1.DeprecatedAppArmorBetaProfileNameUnconfined ||
		strings.HasPrefix(v, corev1.DeprecatedAppArmorBetaProfileNamePrefix)
}

func sameAppArmor(v string, s *corev1.PodSpec, of *corev1.Container) bool {
	var p *corev1.AppArmorProfile
	if s.SecurityContext != nil {
		p = s.SecurityContext.AppArmorProfile
	}
	if of.SecurityContext != nil && of.SecurityContext.AppArmorProfile != nil {
		p = of.SecurityContext.AppArmorProfile
	}
	switch {
	case p == nil:
		return true
	case p.Type == corev1.AppArmorProfileTypeUnconfined:
		return v == corev1.DeprecatedAppArmorBetaProfileNameUnconfined
	case p.Type == corev1.AppArmorProfileTypeRuntimeDefault:
		return v == corev1.DeprecatedAppArmorBetaProfileRuntimeDefault
	}
	return p.LocalhostProfile != nil && v == corev1.DeprecatedAppArmorBetaProfileNamePrefix+*p.LocalhostProfile
}

func seccompNote(v string) bool {
	local, is := strings.CutPrefix(v, corev1.SeccompLocalhostProfileNamePrefix)
	return v == corev1.SeccompProfileRuntimeDefault || v == corev1.DeprecatedSeccompProfileDockerDefault || v == corev1.SeccompProfileNameUnconfined ||
		is && !path.IsAbs(local) && !steps(local)
}

// seccompOf is the profile in the field of the pod, or of a container.
func seccompOf(s *corev1.PodSpec, name string, ofPod bool) *corev1.SeccompProfile {
	if ofPod {
		if s.SecurityContext == nil {
			return nil
		}
		return s.SecurityContext.SeccompProfile
	}
	if of := containerOf(s, name); of != nil && of.SecurityContext != nil {
		return of.SecurityContext.SeccompProfile
	}
	return nil
}

func sameSeccomp(v string, p *corev1.SeccompProfile) bool {
	switch p.Type {
	case corev1.SeccompProfileTypeUnconfined:
		return v == corev1.SeccompProfileNameUnconfined
	case corev1.SeccompProfileTypeRuntimeDefault:
		return v == corev1.SeccompProfileRuntimeDefault || v == corev1.DeprecatedSeccompProfileDockerDefault
	}
	return p.LocalhostProfile != nil && v == corev1.SeccompLocalhostProfileNamePrefix+*p.LocalhostProfile
}

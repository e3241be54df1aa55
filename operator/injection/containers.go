package injection

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// contained is a container of one of the pod's three lists.
type contained struct {
	*corev1.Container
	list   string // as the pod spells it
	n      int    // in the list
	target string // of an ephemeral container: whose processes it sees
}

// all gives every container of a pod, however it came into it: what is judged of
// one is judged of all.
func all(pod *corev1.Pod) func(func(contained) bool) {
	return func(yield func(contained) bool) {
		for list, some := range lists(pod) {
			for n := range some {
				if !yield(contained{Container: &some[n], list: list, n: n}) {
					return
				}
			}
		}
		for n := range pod.Spec.EphemeralContainers {
			e := pod.Spec.EphemeralContainers[n]
			c := corev1.Container(e.EphemeralContainerCommon)
			if !yield(contained{&c, "ephemeralContainers", n, e.TargetContainerName}) {
				return
			}
		}
	}
}

func (c contained) at(spec *field.Path) *field.Path { return spec.Child(c.list).Index(c.n) }

// faults refuses what sets a container past the sidecars, or in their place. The
// pod's own container is the one named own.
func (c contained) faults(spec *field.Path, own string, injected status) field.ErrorList {
	at := c.at(spec)
	switch {
	case meshContainer(c.Name):
		return c.mesh(at, injected)
	case strings.HasPrefix(c.Name, "istio-") || strings.HasPrefix(c.Name, "kora-") && (c.Name != Enforcer || c.list != "initContainers"):
		return append(c.bounded(at), bad(at.Child("name"), c.Name, "stands in for what sidecar injection adds; rename it"))
	case c.Name == own:
		return append(c.bounded(at), c.own(at)...)
	}
	return c.bounded(at)
}

// bounded is what holds for every container but the mesh's.
func (c contained) bounded(at *field.Path) field.ErrorList {
	var faults field.ErrorList
	if s := c.SecurityContext; s != nil {
		faults = append(faults, notMesh(at.Child("securityContext", "runAsUser"), s.RunAsUser, mendOwn)...)
		faults = append(faults, group(at.Child("securityContext", "runAsGroup"), s.RunAsGroup, mendOwn)...)
	}
	for n, mount := range c.VolumeMounts {
		if c.Name != Enforcer && reserved(mount.Name) {
			faults = append(faults, bad(at.Child("volumeMounts").Index(n).Child("name"), mount.Name, "is a volume of the sidecars, by which the pod's identity is proved; remove the mount"))
		}
	}
	if c.target == Enforcer || meshContainer(c.target) {
		faults = append(faults, bad(at.Child("targetContainerName"), c.target, "would show the sidecar's processes, and its files behind them; name another container, or none"))
	}
	return faults
}

// own is what holds for the container that kora builds: it runs as the pod does (R6).
// One that a patch adds may have a user of its own, which its image is built for.
func (c contained) own(at *field.Path) field.ErrorList {
	s := c.SecurityContext
	if s == nil {
		return nil
	}
	var faults field.ErrorList
	at = at.Child("securityContext")
	if id := s.RunAsUser; id != nil && *id != koraID && *id != meshID {
		faults = append(faults, bad(at.Child("runAsUser"), fmt.Sprint(*id), "must be %d, as the pod's is; leave it out", koraID))
	}
	if id := s.RunAsGroup; id != nil && *id != koraID && *id != meshID && *id != 0 {
		faults = append(faults, bad(at.Child("runAsGroup"), fmt.Sprint(*id), "must be %d, as the pod's is; leave it out", koraID))
	}
	return faults
}

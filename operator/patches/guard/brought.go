package guard

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/operator/agents"
)

// brought judges the context that an added container brings along, in what
// Pod Security leaves open (R6, R14).
//
// Any user but root and the mesh's stays allowed: third-party sidecars are
// built for a user of their own. The volume workspace may be mounted, as kora
// mounts it or read-only, also in the sandbox: the container runs in the pod
// whose code writes the workspace anyway, on the same claim, under the same
// fsGroup and the same network, and so reaches nothing that the agent's own
// container does not. The path from which kora's container reads it is guarded.
//
// What is refused would set the container apart from its pod: another SELinux
// label lifts the walls between pods, an unmasked /proc those to the node, and
// Windows' options say nothing on a node that runs kora.
func (c *checker) brought(at fields.Path, s *corev1.SecurityContext) {
	if s == nil {
		return
	}
	c.notMesh(at.Child("runAsUser"), s.RunAsUser)
	c.notMesh(at.Child("runAsGroup"), s.RunAsGroup)
	if s.RunAsGroup != nil && *s.RunAsGroup == 0 { // of root as the user Pod Security tells
		c.add(Violation{Code: faults.AddedContainer, Path: at.Child("runAsGroup"), Message: "an added container may not run in root's group, which may write what root left open to it",
			Found: "0", Expected: "any other but 1337", Fix: "leave it out: the pod runs as 100"})
	}
	if s.SELinuxOptions != nil {
		c.apart(at.Child("seLinuxOptions"), s.SELinuxOptions)
	}
	if s.WindowsOptions != nil {
		c.apart(at.Child("windowsOptions"), s.WindowsOptions)
	}
	if s.ProcMount != nil && *s.ProcMount != corev1.DefaultProcMount && *s.ProcMount != corev1.UnmaskedProcMount { // Pod Security tells of Unmasked
		c.apart(at.Child("procMount"), *s.ProcMount)
	}
}

func (c *checker) notMesh(at fields.Path, id *int64) {
	if id != nil && *id == agents.MeshID {
		c.add(Violation{Code: faults.AddedContainer, Path: at, Message: "an added container may not run as the mesh's proxy, whose traffic no policy sees",
			Found: fmt.Sprint(*id), Expected: "any other", Fix: "leave it out: the pod runs as 100"})
	}
}

// group: fsGroup is the cluster's to choose, but for the groups that no container
// of an agent may be in: every container of the pod would be.
func (c *checker) group(at fields.Path, s *corev1.PodSecurityContext) {
	if s == nil || s.FSGroup == nil {
		return
	}
	if why := agents.ForbiddenGroup(*s.FSGroup); why != "" {
		c.add(Violation{Code: faults.Protected, Path: at.Child("fsGroup"), Message: "the group of a pod's volumes " + why,
			Found: fmt.Sprint(*s.FSGroup), Expected: "100, or a group of the cluster's", Fix: "choose another group, or leave it out"})
	}
}

func (c *checker) apart(at fields.Path, found any) {
	c.add(Violation{Code: faults.AddedContainer, Path: at, Message: "an added container may not be set apart from its pod",
		Found: text(found), Expected: "(none)", Fix: "take this field out of the patch"})
}

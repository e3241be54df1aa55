package guard

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/operator/agents"
)

func (c *checker) pod(at fields.Path, a, b *corev1.PodSpec) {
	c.same(at.Child("securityContext"), context(a.SecurityContext), context(b.SecurityContext), whySecurity)
	c.group(at.Child("securityContext"), b.SecurityContext)
	c.same(at.Child("hostNetwork"), a.HostNetwork, b.HostNetwork, whyHost)
	c.same(at.Child("hostPID"), a.HostPID, b.HostPID, whyHost)
	c.same(at.Child("hostIPC"), a.HostIPC, b.HostIPC, whyHost)
	c.same(at.Child("hostUsers"), a.HostUsers, b.HostUsers, whyHost)
	c.same(at.Child("os"), a.OS, b.OS, "Pod Security asks less of a pod for another system")
	c.same(at.Child("shareProcessNamespace"), a.ShareProcessNamespace, b.ShareProcessNamespace, "a patch may not let containers see the sidecars' processes")
	c.same(at.Child("serviceAccountName"), a.ServiceAccountName, b.ServiceAccountName, whyToken)
	c.same(at.Child("serviceAccount"), a.DeprecatedServiceAccount, b.DeprecatedServiceAccount, whyToken)
	c.same(at.Child("automountServiceAccountToken"), a.AutomountServiceAccountToken, b.AutomountServiceAccountToken, whyToken)
	c.same(at.Child("ephemeralContainers"), a.EphemeralContainers, b.EphemeralContainers, "a patch may not add an ephemeral container")
	if class := b.PriorityClassName; class != a.PriorityClassName && agents.SystemClass(class) {
		c.protected(at.Child("priorityClassName"), a.PriorityClassName, class, "a patch may not put a pod of an agent before the platform's")
	}
	c.pulls = pullNames(a.ImagePullSecrets)
	c.containers(at, a, b)
	c.volumes(at.Child("volumes"), a.Volumes, b.Volumes)
}

// context is the pod's security context less what D leaves to the cluster:
// the group of root-owned writable volumes, and how it is applied.
func context(in *corev1.PodSecurityContext) corev1.PodSecurityContext {
	if in == nil {
		return corev1.PodSecurityContext{}
	}
	out := *in
	out.FSGroup, out.FSGroupChangePolicy = nil, nil
	return out
}

// containers: those that kora built must still be there, under their names
// and in their list, with their security context and the workspace's mount.
func (c *checker) containers(at fields.Path, a, b *corev1.PodSpec) {
	c.kept(at.Child("containers"), a.Containers, b.Containers)
	c.kept(at.Child("initContainers"), a.InitContainers, b.InitContainers)
	c.variables(at.Child("containers"), a.Containers, b.Containers)
	c.variables(at.Child("initContainers"), a.InitContainers, b.InitContainers)
}

func (c *checker) kept(at fields.Path, before, after []corev1.Container) {
	for i := range before {
		was := &before[i]
		path := at.Item("name", was.Name)
		is := named(after, was.Name)
		if is == nil {
			c.add(Violation{Code: faults.Protected, Path: path, Message: "a patch may not remove or rename a container of kora",
				Found: names(after), Expected: was.Name, Fix: "keep the container"})
			continue
		}
		c.same(path.Child("securityContext"), was.SecurityContext, is.SecurityContext, whySecurity)
		c.mounts(path.Child("volumeMounts"), workspaceMounts(was), workspaceMounts(is))
		c.same(path.Child("volumeDevices"), was.VolumeDevices, is.VolumeDevices, whyWork)
		c.messagePath(path.Child("terminationMessagePath"), is)
		c.writable(path.Child("volumeMounts"), was, is)
	}
	for i := range after {
		if name := after[i].Name; named(before, name) == nil {
			c.injected(at.Item("name", name), name, nil)
		}
	}
}

// mounts compares two sets: the order of mounts says nothing.
func (c *checker) mounts(at fields.Path, before, after []corev1.VolumeMount) {
	told := len(c.found)
	for _, m := range after {
		if !holds(before, m) {
			c.protected(at.Item("mountPath", m.MountPath), sameWhere(before, m), m, whyWork)
		}
	}
	for _, m := range before {
		if !holds(after, m) && sameWhere(after, m) == nil {
			c.protected(at.Item("mountPath", m.MountPath), m, nil, whyWork)
		}
	}
	if len(c.found) == told && len(before) != len(after) {
		c.protected(at, before, after, whyWork) // one of them twice
	}
}

func holds(list []corev1.VolumeMount, m corev1.VolumeMount) bool {
	return slices.ContainsFunc(list, func(o corev1.VolumeMount) bool { return equality.Semantic.DeepEqual(o, m) })
}

// sameWhere is the mount at the same path, nil where there is none.
func sameWhere(list []corev1.VolumeMount, m corev1.VolumeMount) any {
	if i := slices.IndexFunc(list, func(o corev1.VolumeMount) bool { return o.MountPath == m.MountPath }); i >= 0 {
		return list[i]
	}
	return nil
}

func named(list []corev1.Container, name string) *corev1.Container {
	var found *corev1.Container
	for i := range list {
		if list[i].Name == name {
			if found != nil {
				return nil // two of one name: neither is the one kora built
			}
			found = &list[i]
		}
	}
	return found
}

func names(list []corev1.Container) string {
	var out []string
	for _, c := range list {
		out = append(out, c.Name)
	}
	return fmt.Sprint(out)
}

// workspaceMounts are the mounts of the workspace, and every other mount that
// lies over it, under it or inside it and would put something else there.
func workspaceMounts(in *corev1.Container) []corev1.VolumeMount {
	var out []corev1.VolumeMount
	for _, m := range in.VolumeMounts {
		if m.Name == agents.WorkspaceVolume || overlaps(m.MountPath, agents.WorkspacePath) {
			out = append(out, m)
		}
	}
	return out
}

// messagePath: the kubelet mounts a file of the node at a container's
// termination message path, over what is mounted there. It is the only path
// of a container besides its mounts and devices that has the kubelet mount
// anything: a working folder is at most made, environment files are read, and
// probes and hooks run as the container itself.
func (c *checker) messagePath(at fields.Path, in *corev1.Container) {
	file := in.TerminationMessagePath
	if file == "" {
		return
	}
	if overlaps(file, agents.WorkspacePath) {
		c.protected(at, "", file, whyWork)
		return
	}
	for _, m := range in.VolumeMounts {
		if inside(m.MountPath, file) {
			c.add(Violation{Code: faults.Protected, Path: at, Message: "the file of the termination message would lie over a mount of the container",
				Found: file, Expected: "a file outside " + m.MountPath + " and what holds it", Fix: "use a file in a folder, such as /dev/termination-log or /tmp/termination-log"})
			return
		}
	}
}

// writable: the image's root is read-only, so where kora mounts scratch and
// tmp some volume must stay mounted, there or above (R10).
func (c *checker) writable(at fields.Path, was, is *corev1.Container) {
	for _, m := range was.VolumeMounts {
		if m.Name == agents.WorkspaceVolume || slices.ContainsFunc(is.VolumeMounts, func(o corev1.VolumeMount) bool { return !o.ReadOnly && inside(m.MountPath, o.MountPath) }) {
			continue
		}
		c.add(Violation{Code: faults.Protected, Path: at.Item("mountPath", m.MountPath), Message: "the root is read-only, and without this mount nothing can be written at " + m.MountPath,
			Found: "(none)", Expected: "a writable volume mounted there, or above", Fix: "keep the mount, or mount another volume there"})
	}
}

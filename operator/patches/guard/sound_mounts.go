package guard

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/operator/agents"
)

func (c *checker) soundMounts(at fields.Path, in *corev1.Container, volumes []string) {
	paths := make([]string, len(in.VolumeMounts))
	place := func(i int) fields.Path { return at.Child("volumeMounts").Item("mountPath", paths[i]) }
	for i, m := range in.VolumeMounts {
		paths[i] = m.MountPath
		c.needs(place(i).Child("mountPath"), m.MountPath, "a mount has a path")
		c.volumeOf(place(i).Child("name"), m.Name, volumes)
		c.below(place(i).Child("subPath"), m.SubPath)
		c.below(place(i).Child("subPathExpr"), m.SubPathExpr)
		if m.SubPath != "" && m.SubPathExpr != "" {
			c.unsound(place(i).Child("subPathExpr"), "a mount has subPath or subPathExpr", "both", "one of the two", "set the other to null")
		}
		if p := m.MountPropagation; p != nil && *p == corev1.MountPropagationBidirectional && !privileged(in.SecurityContext) {
			c.unsound(place(i).Child("mountPropagation"), "only a privileged container may mount back into the node", string(*p), "None or HostToContainer", "")
		}
		c.recursive(place(i).Child("recursiveReadOnly"), &in.VolumeMounts[i])
	}
	c.twice(place, paths, "two mounts at one path")
	c.devices(at.Child("volumeDevices"), in, volumes)
}

func (c *checker) recursive(at fields.Path, m *corev1.VolumeMount) {
	r := m.RecursiveReadOnly
	if r == nil || *r == corev1.RecursiveReadOnlyDisabled {
		return
	}
	if !m.ReadOnly {
		c.unsound(at, "it goes with readOnly", string(*r), "readOnly: true", "set readOnly: true beside it")
	}
	if p := m.MountPropagation; p != nil && *p != corev1.MountPropagationNone {
		c.unsound(at, "it does not go with mounts that come from the node", string(*r), "mountPropagation: None", "leave mountPropagation out")
	}
}

// devices are blocks: of claims alone, each once, and mounted nowhere.
func (c *checker) devices(at fields.Path, in *corev1.Container, volumes []string) {
	names, paths := make([]string, len(in.VolumeDevices)), make([]string, len(in.VolumeDevices))
	for i, d := range in.VolumeDevices {
		names[i], paths[i] = d.Name, d.DevicePath
		at := at.Index(i)
		if c.needs(at.Child("devicePath"), d.DevicePath, "a device has a path") {
			c.noSteps(at.Child("devicePath"), d.DevicePath)
		}
		c.volumeOf(at.Child("name"), d.Name, volumes)
		c.block(at, d, in.VolumeMounts)
	}
	c.twice(at.Index, names, "two devices of one volume")
	c.twice(at.Index, paths, "two devices at one path")
	if len(names) > 0 && c.spec.HostUsers != nil && !*c.spec.HostUsers {
		c.unsound(at, "devices do not go with users of the pod's own", fmt.Sprint(len(names)), "(none)", "leave them out, or hostUsers")
	}
}

func (c *checker) block(at fields.Path, d corev1.VolumeDevice, mounts []corev1.VolumeMount) {
	for i := range c.spec.Volumes {
		if v := &c.spec.Volumes[i]; v.Name == d.Name && v.PersistentVolumeClaim == nil && v.Ephemeral == nil {
			c.unsound(at.Child("name"), "only a claim is a device", d.Name, "a volume with persistentVolumeClaim or ephemeral", "mount it under volumeMounts")
		}
	}
	if slices.ContainsFunc(mounts, func(m corev1.VolumeMount) bool { return m.Name == d.Name || m.MountPath == d.DevicePath }) {
		c.unsound(at, "a volume is mounted or a device", d.Name, "one of the two", "take it out of volumeMounts or volumeDevices")
	}
}

// volumeOf: of the volumes that kora built, scratch and tmp may not go while
// they are mounted (R10); of the workspace Check tells.
func (c *checker) volumeOf(at fields.Path, name string, volumes []string) {
	switch {
	case slices.Contains(volumes, name) || name == agents.WorkspaceVolume && slices.Contains(c.had, name):
	case !slices.Contains(c.had, name):
		c.unsound(at, "the pod has no volume of that name", name, "one of "+fmt.Sprint(volumes), "add the volume under volumes")
	default:
		v := Violation{Code: faults.Unsound, Path: inPod(at).Child("volumes").Item("name", name), Message: "the volume is mounted, and is gone",
			Found: "(none)", Expected: name, Fix: "keep the volume; its source may be another"}
		if !slices.Contains(c.found, v) {
			c.add(v)
		}
	}
}

// inPod is the path of the pod's spec, by that of a field of a container.
func inPod(at fields.Path) fields.Path {
	i := strings.Index(string(at), ".containers[")
	return at[:max(i, strings.Index(string(at), ".initContainers["))]
}

func privileged(s *corev1.SecurityContext) bool {
	return s != nil && s.Privileged != nil && *s.Privileged
}

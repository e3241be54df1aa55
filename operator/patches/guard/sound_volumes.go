package guard

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/operator/agents"
)

func (c *checker) soundVolumes(at fields.Path, all []corev1.Volume) {
	names := make([]string, len(all))
	for i := range all {
		v := &all[i]
		names[i] = v.Name
		if v.Name == "" {
			c.unsound(at.Index(i).Child("name"), "a volume has a name", "(none)", "a name", "add name")
			continue
		}
		place := at.Item("name", v.Name)
		c.must(place.Child("name"), v.Name, validation.IsDNS1123Label)
		switch sources := sourcesOf(&v.VolumeSource); len(sources) {
		case 1:
			c.soundSource(place, &v.VolumeSource)
		case 0: // the server makes it an emptyDir
		default:
			c.unsound(place, "a volume has one source", strings.Join(sources, ", "), "one", "set the others to null, such as "+sources[0]+": null")
		}
	}
	c.twice(func(i int) fields.Path { return at.Item("name", names[i]) }, names, "two volumes of one name")
}

// sourcesOf names the sources that are set.
func sourcesOf(v *corev1.VolumeSource) []string {
	var out []string
	for t, rv, i := reflect.TypeOf(*v), reflect.ValueOf(*v), 0; i < t.NumField(); i++ {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); !rv.Field(i).IsNil() {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func (c *checker) soundSource(at fields.Path, v *corev1.VolumeSource) {
	switch {
	case v.EmptyDir != nil:
		if l := v.EmptyDir.SizeLimit; l != nil && l.Sign() < 0 {
			c.unsound(at.Child("emptyDir").Child("sizeLimit"), "a quantity is not negative", l.String(), "0 or more", "")
		}
	case v.ConfigMap != nil:
		c.needs(at.Child("configMap").Child("name"), v.ConfigMap.Name, "the volume names no ConfigMap")
		between(c, at.Child("configMap").Child("defaultMode"), v.ConfigMap.DefaultMode, 0, 0o777)
	case v.Secret != nil:
		c.needs(at.Child("secret").Child("secretName"), v.Secret.SecretName, "the volume names no Secret")
		between(c, at.Child("secret").Child("defaultMode"), v.Secret.DefaultMode, 0, 0o777)
	case v.PersistentVolumeClaim != nil:
		c.needs(at.Child("persistentVolumeClaim").Child("claimName"), v.PersistentVolumeClaim.ClaimName, "the volume names no claim")
	case v.CSI != nil:
		c.needs(at.Child("csi").Child("driver"), v.CSI.Driver, "the volume names no driver")
	case v.Ephemeral != nil && v.Ephemeral.VolumeClaimTemplate == nil:
		c.unsound(at.Child("ephemeral").Child("volumeClaimTemplate"), "the volume has no template", "(none)", "volumeClaimTemplate", "add it")
	case v.Ephemeral != nil:
		c.soundClaim(at.Child("ephemeral").Child("volumeClaimTemplate").Child("spec"), &v.Ephemeral.VolumeClaimTemplate.Spec)
	}
}

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
		if r := m.RecursiveReadOnly; r != nil && *r != corev1.RecursiveReadOnlyDisabled && !m.ReadOnly {
			c.unsound(place(i).Child("recursiveReadOnly"), "it goes with readOnly", string(*r), "readOnly: true", "set readOnly: true beside it")
		}
	}
	c.twice(place, paths, "two mounts at one path")
	for i, d := range in.VolumeDevices {
		place := at.Child("volumeDevices").Index(i)
		c.needs(place.Child("devicePath"), d.DevicePath, "a device has a path")
		c.volumeOf(place.Child("name"), d.Name, volumes)
	}
}

// volumeOf: of the volumes that kora built, scratch and tmp may not go while
// they are mounted (R10); of the workspace Check tells.
func (c *checker) volumeOf(at fields.Path, name string, volumes []string) {
	switch {
	case slices.Contains(volumes, name) || name == agents.WorkspaceVolume:
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

// below is a path inside a volume.
func (c *checker) below(at fields.Path, p string) {
	if path.IsAbs(p) || slices.Contains(strings.Split(p, "/"), "..") {
		c.unsound(at, "the path leads out of the volume", p, "a relative path without ..", "")
	}
}

func privileged(s *corev1.SecurityContext) bool {
	return s != nil && s.Privileged != nil && *s.Privileged
}

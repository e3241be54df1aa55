package guard

import (
	"path"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/sealed"
)

// overlaps reports whether one of two mount paths lies in the other.
func overlaps(a, b string) bool {
	a, b = folder(a), folder(b)
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// inside reports whether a path is the other one or lies in it.
func inside(a, b string) bool { return strings.HasPrefix(folder(a), folder(b)) }

// folder is a path with one slash behind each part, empty for the root.
func folder(p string) string {
	return strings.TrimPrefix(strings.TrimSuffix(path.Clean("/"+p), "/")+"/", "/")
}

// volumes: the workspace's is kora's; every other that a patch adds or
// changes must not reach beyond the agent.
func (c *checker) volumes(at fields.Path, before, after []corev1.Volume) {
	c.workspace(at.Item("name", agents.WorkspaceVolume), workspaces(before), workspaces(after))
	for i := range after {
		v := &after[i]
		if v.Name == agents.WorkspaceVolume || unchanged(before, v) {
			continue
		}
		c.injected(at.Item("name", v.Name), v.Name, injectedVolumes)
		c.source(at.Item("name", v.Name), &v.VolumeSource)
	}
}

func (c *checker) workspace(at fields.Path, before, after []corev1.Volume) {
	switch {
	case len(before) == 1 && len(after) == 1:
		c.same(at, before[0], after[0], whyWork)
	case !equality.Semantic.DeepEqual(before, after):
		c.protected(at, before, after, whyWork)
	}
}

func workspaces(in []corev1.Volume) []corev1.Volume {
	var out []corev1.Volume
	for _, v := range in {
		if v.Name == agents.WorkspaceVolume {
			out = append(out, v)
		}
	}
	return out
}

func unchanged(before []corev1.Volume, v *corev1.Volume) bool {
	for i := range before {
		if before[i].Name == v.Name {
			return equality.Semantic.DeepEqual(&before[i], v)
		}
	}
	return false
}

func (c *checker) source(at fields.Path, v *corev1.VolumeSource) {
	if v.HostPath != nil {
		c.volume(at.Child("hostPath"), "a patch may not mount a folder of the node", v.HostPath.Path)
	}
	if v.PersistentVolumeClaim != nil && isWorkspace(v.PersistentVolumeClaim.ClaimName) {
		c.volume(at.Child("persistentVolumeClaim"), "a patch may not mount a workspace: kora alone mounts it, as the volume workspace", v.PersistentVolumeClaim.ClaimName)
	}
	if v.CSI != nil && (v.CSI.Driver == "csi.spiffe.io" || strings.HasSuffix(v.CSI.Driver, ".spiffe.io")) {
		c.volume(at.Child("csi"), "a patch may not mount the pod's SPIFFE identity", v.CSI.Driver)
	}
	if v.Ephemeral != nil && v.Ephemeral.VolumeClaimTemplate != nil {
		c.contents(at.Child("ephemeral").Child("volumeClaimTemplate").Child("spec"), corev1.PersistentVolumeClaimSpec{}, v.Ephemeral.VolumeClaimTemplate.Spec)
	}
	c.projected(at, v.Projected)
	c.secrets(at, nil, sealed.OfVolume(v))
}

// projected: whoever reads such a token or certificate is the pod's account.
func (c *checker) projected(at fields.Path, v *corev1.ProjectedVolumeSource) {
	if v == nil {
		return
	}
	for i, s := range v.Sources {
		item := at.Child("projected").Child("sources").Index(i)
		if s.ServiceAccountToken != nil {
			c.volume(item.Child("serviceAccountToken"), "a patch may not mount a service account's token", s.ServiceAccountToken.Path)
		}
		if s.PodCertificate != nil {
			c.volume(item.Child("podCertificate"), "a patch may not mount a certificate of the pod", s.PodCertificate.SignerName)
		}
	}
}

func (c *checker) volume(at fields.Path, message, found string) {
	c.add(Violation{Code: faults.ForbiddenVolume, Path: at, Message: message, Found: found, Fix: "take this volume out of the patch"})
}

// isWorkspace goes by the names that kora gives to workspaces.
func isWorkspace(claim string) bool {
	return strings.HasPrefix(claim, agents.WorkspaceVolume+"-"+agents.ObjectName(""))
}

// contents: a claim that names a volume, a source to clone, or by a selector
// the volumes to choose from (R14: a released one of another agent), may hold
// what somebody else wrote. Storage classes choose volumes.
func (c *checker) contents(at fields.Path, a, b corev1.PersistentVolumeClaimSpec) {
	c.content(at.Child("volumeName"), a.VolumeName, b.VolumeName)
	c.content(at.Child("selector"), a.Selector, b.Selector)
	was := len(c.found)
	c.content(at.Child("dataSource"), a.DataSource, b.DataSource)
	if len(c.found) == was { // the server keeps both equal: one cause
		c.content(at.Child("dataSourceRef"), a.DataSourceRef, b.DataSourceRef)
	}
}

// content tells of a whole source as one fault: its fields mean nothing alone.
func (c *checker) content(at fields.Path, before, after any) {
	if equality.Semantic.DeepEqual(before, after) {
		return
	}
	c.add(Violation{Code: faults.Protected, Path: at, Message: "a patch may not put another volume's data into a claim",
		Found: text(plain(after)), Expected: text(plain(before)), Fix: "take this field out of the patch; to choose the volumes, set storageClassName"})
}

package injection

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/runkora/kora/operator/agents"
)

// volumes refuses what no pod of a tenant brings in, whatever the volume is called:
// workspaces of other agent types, and identities. slug is the agent's, and empty
// for a pod of nobody's.
func volumes(pod *corev1.Pod, slug string) field.ErrorList {
	var faults field.ErrorList
	for n := range pod.Spec.Volumes {
		v, at := &pod.Spec.Volumes[n], field.NewPath("spec", "volumes").Index(n)
		faults = append(faults, identities(at, v, slug != "")...)
		if v.PersistentVolumeClaim != nil && foreign(v.PersistentVolumeClaim.ClaimName, slug) {
			faults = append(faults, bad(at.Child("persistentVolumeClaim", "claimName"), v.PersistentVolumeClaim.ClaimName, otherWorkspace))
		}
		if v.Ephemeral != nil {
			faults = append(faults, planted(pod, at, v.Name)...)
			if v.Ephemeral.VolumeClaimTemplate != nil {
				faults = append(faults, contents(at.Child("ephemeral", "volumeClaimTemplate", "spec"), &v.Ephemeral.VolumeClaimTemplate.Spec, slug)...)
			}
		}
	}
	return append(faults, proxies(pod, slug)...)
}

const otherWorkspace = "is the workspace of another agent type, which only its own pods mount; remove the volume"

// foreign goes by the names of workspaces' claims: agents' own and none else's.
func foreign(claim, slug string) bool {
	if !strings.HasPrefix(claim, agents.WorkspaceVolume+"-"+agents.ObjectName("")) {
		return false
	}
	rest, own := strings.CutPrefix(claim, agents.WorkspaceVolume+"-"+agents.ObjectName(slug)+"-")
	return slug == "" || !own || !number(rest)
}

// identities refuses what proves who a pod is: SPIFFE's drivers, but where the
// sidecars have theirs, and certificates of the pod's ServiceAccount, which is that
// of the sandboxes too.
func identities(at *field.Path, v *corev1.Volume, agent bool) field.ErrorList {
	var faults field.ErrorList
	if v.CSI != nil && spiffe(v.CSI.Driver) && v.Name != meshSocket && (v.Name != IdentityVolume || !agent) {
		faults = append(faults, bad(at.Child("csi", "driver"), v.CSI.Driver, "hands out the pod's SPIFFE identity, which its sidecars alone have; remove the volume"))
	}
	if v.Projected == nil {
		return faults
	}
	for n, source := range v.Projected.Sources {
		if c := source.PodCertificate; c != nil {
			faults = append(faults, bad(at.Child("projected", "sources").Index(n).Child("podCertificate"), c.SignerName, "is a certificate by which the pod proves who it is, and its sidecars alone do; remove it"))
		}
	}
	return faults
}

// spiffe reports whether a CSI driver is SPIFFE's.
func spiffe(driver string) bool { return strings.HasSuffix("."+strings.ToLower(driver), ".spiffe.io") }

// proxies lets the mesh's proxy alone mount its socket in a pod of nobody's; in an
// agent's pod, bounds sees to every volume of the sidecars.
func proxies(pod *corev1.Pod, slug string) field.ErrorList {
	socket := func(v corev1.Volume) bool { return v.Name == meshSocket && v.CSI != nil && spiffe(v.CSI.Driver) }
	if slug != "" || !slices.ContainsFunc(pod.Spec.Volumes, socket) {
		return nil
	}
	var faults field.ErrorList
	for each := range all(pod) {
		for m, mount := range each.VolumeMounts {
			if mount.Name == meshSocket && (each.Name != meshProxy || each.list == "ephemeralContainers") {
				faults = append(faults, bad(each.at(field.NewPath("spec")).Child("volumeMounts").Index(m).Child("name"), mount.Name, "hands out the pod's SPIFFE identity, which the mesh's proxy alone has; remove the mount"))
			}
		}
	}
	return faults
}

// contents judges a claim that comes and goes with its pod: it is empty at first in
// an agent's pod, and in another at least no workspace's copy (R14).
func contents(at *field.Path, claim *corev1.PersistentVolumeClaimSpec, slug string) field.ErrorList {
	var faults field.ErrorList
	if d := claim.DataSource; d != nil {
		faults = append(faults, content(at.Child("dataSource", "name"), d.Kind, d.Name, slug)...)
	}
	if d := claim.DataSourceRef; d != nil {
		faults = append(faults, content(at.Child("dataSourceRef", "name"), d.Kind, d.Name, slug)...)
	}
	if slug == "" {
		return faults
	}
	if claim.VolumeName != "" {
		faults = append(faults, bad(at.Child("volumeName"), claim.VolumeName, written))
	}
	if claim.Selector != nil {
		faults = append(faults, bad(at.Child("selector"), "", written))
	}
	return faults
}

const written = "may hold what another agent wrote; remove it: the volume of an agent's pod is empty at first"

func content(at *field.Path, kind, name, slug string) field.ErrorList {
	switch {
	case kind == "PersistentVolumeClaim" && foreign(name, ""):
		return field.ErrorList{bad(at, name, "is the workspace of an agent, which nobody copies; remove it")}
	case slug != "":
		return field.ErrorList{bad(at, name, written)}
	}
	return nil
}

// planted refuses a claim that would be made under the name of a workspace, for the
// agent that comes later.
func planted(pod *corev1.Pod, at *field.Path, volume string) field.ErrorList {
	name := pod.Name + pod.GenerateName
	if len(name) > 2*maxName { // none that the API server takes, and not to be copied for each volume
		return nil
	}
	if foreign(name+"-"+volume, "") {
		return field.ErrorList{bad(at.Child("ephemeral"), volume, "would be the claim of an agent's workspace by the pod's name; rename the pod")}
	}
	return nil
}

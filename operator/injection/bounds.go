package injection

import (
	"fmt"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"

	"github.com/runkora/kora/operator/agents"
)

// bounds gives the faults of an agent's pod that would escape its sidecars: what
// Pod Security does not know of (R5, R6).
func bounds(pod *corev1.Pod) field.ErrorList {
	spec := field.NewPath("spec")
	var faults field.ErrorList
	if s := pod.Spec.SecurityContext; s == nil || s.RunAsUser == nil || *s.RunAsUser != koraID {
		faults = append(faults, bad(spec.Child("securityContext", "runAsUser"), "", "must be %d", koraID))
	}
	if s := pod.Spec.SecurityContext; s != nil {
		faults = append(faults, notMesh(spec.Child("securityContext", "runAsGroup"), s.RunAsGroup)...)
	}
	if share := pod.Spec.ShareProcessNamespace; share != nil && *share {
		faults = append(faults, bad(spec.Child("shareProcessNamespace"), "true", "would show the sidecars' processes to the agent's code; remove it"))
	}
	if mount := pod.Spec.AutomountServiceAccountToken; mount == nil || *mount {
		faults = append(faults, bad(spec.Child("automountServiceAccountToken"), "", "must be false: no pod of an agent gets an API token"))
	}
	for n, volume := range pod.Spec.Volumes {
		faults = append(faults, token(spec.Child("volumes").Index(n), volume)...)
	}
	main := false
	for list, containers := range lists(pod) {
		for n := range containers {
			faults = append(faults, container(spec.Child(list).Index(n), &containers[n], list)...)
			main = main || list == "containers" && containers[n].Name == pod.Labels[agents.LabelComponent]
		}
	}
	if !main {
		faults = append(faults, bad(spec.Child("containers"), "", "must have one named %s, the pod's own", pod.Labels[agents.LabelComponent]))
	}
	return faults
}

// lists gives the names of the pod's two lists of containers in a fixed order.
func lists(pod *corev1.Pod) func(func(string, []corev1.Container) bool) {
	return func(yield func(string, []corev1.Container) bool) {
		_ = yield("initContainers", pod.Spec.InitContainers) && yield("containers", pod.Spec.Containers)
	}
}

// token refuses projected tokens, but for the proxy's, which is for istiod alone.
func token(at *field.Path, volume corev1.Volume) field.ErrorList {
	if volume.Projected == nil {
		return nil
	}
	var faults field.ErrorList
	for n, source := range volume.Projected.Sources {
		if t := source.ServiceAccountToken; t != nil && (volume.Name != meshToken || t.Audience != "istio-ca") {
			faults = append(faults, bad(at.Child("projected", "sources").Index(n).Child("serviceAccountToken"), t.Audience, "would give the pod an API token, which no pod of an agent has; remove it"))
		}
	}
	return faults
}

// container refuses what sets a container past the sidecars, or in their place.
func container(at *field.Path, c *corev1.Container, list string) field.ErrorList {
	var faults field.ErrorList
	mesh := meshContainer(c.Name)
	switch {
	case mesh:
		return nil // Istio's own; Pod Security judges it
	case strings.HasPrefix(c.Name, "istio-") || strings.HasPrefix(c.Name, "kora-") && (c.Name != Enforcer || list != "initContainers"):
		faults = append(faults, bad(at.Child("name"), c.Name, "stands in for what sidecar injection adds; rename it"))
	}
	if s := c.SecurityContext; s != nil {
		faults = append(faults, notMesh(at.Child("securityContext", "runAsUser"), s.RunAsUser)...)
		faults = append(faults, notMesh(at.Child("securityContext", "runAsGroup"), s.RunAsGroup)...)
	}
	for n, mount := range c.VolumeMounts {
		if c.Name != Enforcer && reserved(mount.Name) {
			faults = append(faults, bad(at.Child("volumeMounts").Index(n).Child("name"), mount.Name, "is a volume of the sidecars, by which the pod's identity is proved; remove the mount"))
		}
	}
	return faults
}

func notMesh(at *field.Path, id *int64) field.ErrorList {
	if id == nil || *id != meshID {
		return nil
	}
	return field.ErrorList{bad(at, fmt.Sprint(*id), "is the mesh's proxy, whose traffic no policy sees; leave it out: the pod runs as %d", koraID)}
}

// reserved reports whether a volume is the sidecars' own.
func reserved(volume string) bool {
	switch volume {
	case meshSocket, "workload-certs", "credential-socket":
		return true
	}
	return strings.HasPrefix(volume, "istio-") || strings.HasPrefix(volume, "istiod-") || strings.HasPrefix(volume, "kora-")
}

var evaluator = sync.OnceValue(func() policy.Evaluator {
	e, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		panic(err) // the library's own checks are wrong
	}
	return e
})

// restricted gives the faults of a pod at Pod Security level restricted (R6).
func restricted(pod *corev1.Pod) field.ErrorList {
	var faults field.ErrorList
	level := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	for _, r := range evaluator().EvaluatePod(level, &pod.ObjectMeta, &pod.Spec) {
		if !r.Allowed {
			faults = append(faults, bad(field.NewPath("spec"), r.ForbiddenReason, "is not Pod Security restricted: %s", r.ForbiddenDetail))
		}
	}
	return faults
}

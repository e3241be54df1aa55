package injection

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/runkora/kora/operator/agents"
)

// bounds gives the faults of an agent's pod that would escape its sidecars: what
// Pod Security does not know of (R5, R6).
func bounds(pod *corev1.Pod) field.ErrorList {
	spec := field.NewPath("spec")
	faults := runs(spec.Child("securityContext"), pod.Spec.SecurityContext)
	if share := pod.Spec.ShareProcessNamespace; share != nil && *share {
		faults = append(faults, bad(spec.Child("shareProcessNamespace"), "true", "would show the sidecars' processes to the agent's code; remove it"))
	}
	if mount := pod.Spec.AutomountServiceAccountToken; mount == nil || *mount {
		faults = append(faults, bad(spec.Child("automountServiceAccountToken"), "", "must be false: no pod of an agent gets an API token"))
	}
	faults = append(faults, placed(spec, pod)...)
	for n, volume := range pod.Spec.Volumes {
		faults = append(faults, token(spec.Child("volumes").Index(n), volume)...)
	}
	return append(faults, containers(spec, pod)...)
}

// What an agent's pod has at most: many times what kora and its patches put there, and
// little enough that judging one takes no time from another tenant's.
const (
	maxContainers = 64
	maxVolumes    = 256
)

// crowd refuses a pod of more containers, of all kinds, or volumes than that.
func crowd(pod *corev1.Pod) field.ErrorList {
	var faults field.ErrorList
	for _, c := range []struct {
		list string
		n    int
		most int
	}{
		{"containers", len(pod.Spec.Containers) + len(pod.Spec.InitContainers) + len(pod.Spec.EphemeralContainers), maxContainers},
		{"volumes", len(pod.Spec.Volumes), maxVolumes},
	} {
		if c.n > c.most {
			faults = append(faults, bad(field.NewPath("spec", c.list), fmt.Sprint(c.n), "are more than the %d that an agent's pod may have; leave some out", c.most))
		}
	}
	return faults
}

// placed refuses what puts a pod where no scheduler would, or before the platform.
func placed(spec *field.Path, pod *corev1.Pod) field.ErrorList {
	var faults field.ErrorList
	if name := pod.Spec.NodeName; name != "" {
		faults = append(faults, bad(spec.Child("nodeName"), name, "passes the scheduler by, which keeps a sandbox with its workspace; use nodeSelector or affinity"))
	}
	if class := pod.Spec.PriorityClassName; agents.SystemClass(class) {
		faults = append(faults, bad(spec.Child("priorityClassName"), class, "is the cluster's own, before which every other pod makes room; use a class of the team's, or leave it out"))
	}
	return faults
}

// containers judges the pod's containers, one by one, and that its own is there.
func containers(spec *field.Path, pod *corev1.Pod) field.ErrorList {
	var faults field.ErrorList
	own, main := pod.Labels[agents.LabelComponent], false
	injected := meshStatus(pod)
	for each := range all(pod) {
		faults = append(faults, each.faults(spec, own, injected)...)
		main = main || each.list == "containers" && each.Name == own
	}
	if !main {
		faults = append(faults, bad(spec.Child("containers"), "", "must have one named %s, the pod's own", own))
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

// reserved reports whether a volume is the sidecars' own.
func reserved(volume string) bool {
	switch volume {
	case meshSocket, "workload-certs", "credential-socket":
		return true
	}
	return strings.HasPrefix(volume, "istio-") || strings.HasPrefix(volume, "istiod-") || koras(volume)
}

// koras reports whether a volume is of kora's sidecar, which the mesh's never mount.
func koras(volume string) bool { return strings.HasPrefix(volume, "kora-") }

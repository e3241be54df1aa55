package sizing

import (
	corev1 "k8s.io/api/core/v1"
	requests "k8s.io/component-helpers/resource"

	"github.com/runkora/kora/operator/agents"
)

// Sandbox is what is to fit: where it may be placed, what its pod requests
// besides its size, and the two sizes of agents.environments.
type Sandbox struct {
	Spec             corev1.PodSpec
	Beside           Amount
	Default, Largest Amount
}

// Wanted is the sandbox of these settings as patches left its pod: containers
// that a patch added count besides the size.
func Wanted(s agents.Settings, largest agents.Size, pod *corev1.Pod) Sandbox {
	added := pod.DeepCopy()
	added.Spec.Containers = nil
	for _, c := range pod.Spec.Containers {
		if c.Name != agents.SandboxContainer {
			added.Spec.Containers = append(added.Spec.Containers, c)
		}
	}
	return Sandbox{
		Spec:    pod.Spec,
		Beside:  plus(Beside(s), of(requests.PodRequests(added, requests.PodResourcesOptions{}))),
		Default: Amount{s.SandboxSize.CPU, s.SandboxSize.Memory, s.SandboxSize.Disk},
		Largest: Amount{largest.CPU, largest.Memory, largest.Disk},
	}
}

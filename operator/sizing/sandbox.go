package sizing

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	requests "k8s.io/component-helpers/resource"

	"github.com/runkora/kora/operator/agents"
)

// Sandbox is what is to fit: where it may be placed, what its pod requests
// besides its size, and the two sizes of agents.environments.
type Sandbox struct {
	Spec   corev1.PodSpec
	Beside Amount
	// Least is what the pod requests whatever its size: a node has room for its init
	// containers, which are done before its containers start, or for no sandbox.
	Least Amount
	// InAll is what spec.resources of the pod requests, nothing of what it leaves out:
	// Kubernetes counts that, whatever the containers request, who share it.
	InAll Amount
	// Overhead is what its RuntimeClass, Class, takes on a node for each pod, whatever
	// that requests.
	Overhead         Amount
	Class            string
	Default, Largest Amount
}

// Wanted is the sandbox of these settings as patches left its pod, and the API server
// let it in, see [Admitted]: what runs beside
// the main container counts besides the size, and so does an init container that
// stays. One that ends first takes the same room as what comes after it, by the
// rule of Kubernetes: the larger of the two. The sidecars that are injected stay, and
// start before it.
func Wanted(s agents.Settings, largest agents.Size, pod *corev1.Pod) Sandbox {
	added := pod.DeepCopy()
	added.Spec.Containers = slices.DeleteFunc(added.Spec.Containers, func(c corev1.Container) bool { return c.Name == agents.SandboxContainer })
	stays := added.DeepCopy()
	stays.Spec.InitContainers = slices.DeleteFunc(stays.Spec.InitContainers, ends)
	all := inAll(pod)
	out := Sandbox{
		Spec:    pod.Spec,
		Beside:  plus(Beside(s), ofContainers(stays)),
		Least:   all.over(plus(Amount{CPU: s.Sidecars.CPU, Memory: s.Sidecars.Memory}, ofContainers(added))),
		InAll:   all,
		Default: Amount{s.SandboxSize.CPU, s.SandboxSize.Memory, s.SandboxSize.Disk},
		Largest: Amount{largest.CPU, largest.Memory, largest.Disk},
	}
	if out.Overhead = of(pod.Spec.Overhead); pod.Spec.RuntimeClassName != nil {
		out.Class = *pod.Spec.RuntimeClassName
	}
	return out
}

// ends reports an init container that is done before the next one starts.
func ends(c corev1.Container) bool {
	return c.RestartPolicy == nil || *c.RestartPolicy != corev1.ContainerRestartPolicyAlways
}

// ofContainers is what the containers of a pod request alone.
func ofContainers(pod *corev1.Pod) Amount {
	return of(requests.PodRequests(pod, requests.PodResourcesOptions{SkipPodLevelResources: true, ExcludeOverhead: true}))
}

// inAll is what the pod itself requests: CPU and memory, as Kubernetes has it.
func inAll(pod *corev1.Pod) Amount {
	if pod.Spec.Resources == nil {
		return Amount{}
	}
	out := of(pod.Spec.Resources.Requests)
	return Amount{CPU: out.CPU, Memory: out.Memory}
}

// requested is what the scheduler counts for a pod.
func requested(pod *corev1.Pod) Amount {
	return of(requests.PodRequests(pod, requests.PodResourcesOptions{}))
}

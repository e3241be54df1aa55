package injection

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/opa"
)

// Inject gives a pod of an agent or a sandbox, of a tenant, with its sidecars, or
// every reason why it is refused. A pod that is neither comes back as it is. The
// argument is left alone.
func (i *Injector) Inject(pod *corev1.Pod, tenant string) (*corev1.Pod, field.ErrorList) {
	if faults := i.judge(pod, tenant); len(faults) > 0 {
		return nil, faults
	}
	if !isAgent(pod.Labels) {
		return pod, nil
	}
	out := pod.DeepCopy()
	i.add(out)
	return out, nil
}

// judge gives everything for which a pod of a tenant is refused, whenever it comes
// to be so.
func (i *Injector) judge(pod *corev1.Pod, tenant string) field.ErrorList {
	if !isAgent(pod.Labels) {
		return claims(pod, tenant)
	}
	if faults := crowd(pod); len(faults) > 0 {
		return faults // and nothing else of it is looked at
	}
	return i.parts(pod, tenant)
}

// parts gives the faults of a pod of an agent's, part by part.
func (i *Injector) parts(pod *corev1.Pod, tenant string) field.ErrorList {
	injected := pod.DeepCopy()
	i.add(injected)
	return slices.Concat(i.identity(pod, tenant), bounds(pod), restricted(injected))
}

// add writes the sidecars into a pod, in the place of what stands there by their
// names.
func (i *Injector) add(pod *corev1.Pod) {
	proxy, enforcer := i.settings.shares()
	if pod.Annotations == nil {
		pod.Annotations = map[string]string{}
	}
	for key, value := range i.settings.wiring() {
		pod.Annotations[key] = value
	}
	pod.Spec.Volumes = volume(pod.Spec.Volumes, meshSocket, socket())
	pod.Spec.Volumes = volume(pod.Spec.Volumes, IdentityVolume, socket())
	pod.Spec.Volumes = volume(pod.Spec.Volumes, PolicyVolume, module())
	for _, containers := range lists(pod) {
		for n := range containers {
			if containers[n].Name == meshProxy {
				request(&containers[n], proxy)
			}
		}
	}
	pod.Spec.InitContainers = slices.DeleteFunc(pod.Spec.InitContainers, func(c corev1.Container) bool { return c.Name == Enforcer })
	first := 0 // after the mesh's, which come before everything
	for first < len(pod.Spec.InitContainers) && meshContainer(pod.Spec.InitContainers[first].Name) {
		first++
	}
	pod.Spec.InitContainers = slices.Insert(pod.Spec.InitContainers, first, i.enforcer(pod, enforcer))
}

// request sets what the proxy requests, and leaves its limits but where they are below:
// the API server takes no such pod, and Istio's values may have any.
func request(c *corev1.Container, share agents.Sidecars) {
	if c.Resources.Requests == nil {
		c.Resources.Requests = corev1.ResourceList{}
	}
	for name, q := range map[corev1.ResourceName]resource.Quantity{corev1.ResourceCPU: share.CPU, corev1.ResourceMemory: share.Memory} {
		c.Resources.Requests[name] = q
		if limit, has := c.Resources.Limits[name]; has {
			c.Resources.Limits[name] = larger(limit, q)
		}
	}
}

func larger(a, b resource.Quantity) resource.Quantity {
	if b.Cmp(a) > 0 {
		return b
	}
	return a
}

// volume makes the volume of a name what it should be, and adds it where it is not
// there.
func volume(volumes []corev1.Volume, name string, source corev1.VolumeSource) []corev1.Volume {
	for n := range volumes {
		if volumes[n].Name == name {
			volumes[n] = corev1.Volume{Name: name, VolumeSource: source}
			return volumes
		}
	}
	return append(volumes, corev1.Volume{Name: name, VolumeSource: source})
}

// socket is the SPIFFE CSI driver's.
func socket() corev1.VolumeSource {
	return corev1.VolumeSource{CSI: &corev1.CSIVolumeSource{Driver: spireCSI, ReadOnly: ptr(true)}}
}

// module is the tenant's policy, that the operator writes before any pod is in the
// namespace. It is not optional: without its policy no pod of an agent starts. The
// mode is the API server's own.
func module() corev1.VolumeSource {
	return corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: opa.ConfigMap},
		Items: []corev1.KeyToPath{{Key: opa.File, Path: opa.File}}, DefaultMode: ptr(int32(0o644))}}
}

// enforcer is kora's sidecar. It is an init container that stays (a native
// sidecar): it is up before the agent's code starts, and a sandbox that is done
// does not wait for it.
//
// Its startup is asked by a command and not over HTTP: nothing but the mesh comes
// in over the network, and the kubelet is not of the mesh.
func (i *Injector) enforcer(pod *corev1.Pod, share agents.Sidecars) corev1.Container {
	always := corev1.ContainerRestartPolicyAlways
	return corev1.Container{
		Name: Enforcer, Image: i.settings.Image, RestartPolicy: &always,
		ImagePullPolicy: pullPolicy(i.settings.Image),
		Env: []corev1.EnvVar{
			{Name: "KORA_TENANT", Value: pod.Labels[agents.LabelTenant]},
			{Name: "KORA_AGENT_SLUG", Value: pod.Labels[agents.LabelAgentSlug]},
			{Name: "KORA_AGENT_TYPE_ID", Value: pod.Labels[agents.LabelAgentType]},
			{Name: "KORA_COMPONENT", Value: pod.Labels[agents.LabelComponent]},
			{Name: "KORA_POLICY", Value: policyPath + "/" + opa.File},
			{Name: "SPIFFE_ENDPOINT_SOCKET", Value: "unix://" + identityPath + "/socket"},
		},
		Resources: resources(pod.Labels[agents.LabelComponent], share),
		VolumeMounts: []corev1.VolumeMount{
			{Name: IdentityVolume, MountPath: identityPath, ReadOnly: true},
			{Name: PolicyVolume, MountPath: policyPath, ReadOnly: true}, // whole, so that a change comes through
		},
		StartupProbe: &corev1.Probe{
			ProbeHandler:  corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{Enforcer, "ready"}}},
			PeriodSeconds: 1, TimeoutSeconds: 2, FailureThreshold: 60, SuccessThreshold: 1,
		},
		TerminationMessagePath: corev1.TerminationMessagePathDefault, TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		SecurityContext: &corev1.SecurityContext{
			AllowPrivilegeEscalation: ptr(false), ReadOnlyRootFilesystem: ptr(true), RunAsNonRoot: ptr(true),
			Capabilities:   &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
			SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
		},
	}
}

// resources of the enforcer. On a sandbox it also requests the 1Gi of scratch that
// comes on top of the sandbox's size (R10), as a limit too: the kubelet holds the
// pod to the sum of its containers' limits, and tmp is not in the sandbox's own.
func resources(component string, share agents.Sidecars) corev1.ResourceRequirements {
	memory := share.Memory.DeepCopy()
	memory.Add(share.Memory)
	memory = larger(memory, resource.MustParse("64Mi")) // below some Mi no container starts
	r := corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: share.CPU, corev1.ResourceMemory: share.Memory},
		Limits:   corev1.ResourceList{corev1.ResourceMemory: memory},
	}
	if component == agents.ComponentSandbox {
		r.Requests[corev1.ResourceEphemeralStorage] = resource.MustParse("1Gi")
		r.Limits[corev1.ResourceEphemeralStorage] = resource.MustParse("1Gi")
	}
	return r
}

// pullPolicy is what the API server would set itself, and did before this webhook.
func pullPolicy(image string) corev1.PullPolicy {
	_, tag, _ := strings.Cut(image[strings.LastIndex(image, "/")+1:], ":")
	if !strings.Contains(image, "@") && (tag == "" || tag == "latest") {
		return corev1.PullAlways
	}
	return corev1.PullIfNotPresent
}

func ptr[T any](v T) *T { return &v }

package injection

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/pod-security-admission/policy"

	"github.com/runkora/kora/operator/podsecurity"
)

// restricted gives the faults of a pod at Pod Security level restricted (R6). Pod
// Security judges the pod whole and names no field: which part it is of shows when
// each is judged without the others.
func restricted(pod *corev1.Pod) field.ErrorList {
	whole := denials(pod)
	if len(whole) == 0 {
		return nil
	}
	bare, spec := *pod, field.NewPath("spec")
	bare.Spec.Containers, bare.Spec.InitContainers, bare.Spec.EphemeralContainers = nil, nil, nil
	var faults field.ErrorList
	for _, r := range denials(&bare) {
		faults = append(faults, unrestricted(spec, pod, r)...)
	}
	host := empty(&pod.Spec)
	common := denials(host)
	for each := range all(pod) {
		host.Spec.Containers = []corev1.Container{*each.Container}
		for _, r := range denials(host) {
			if !slices.Contains(common, r) {
				faults = append(faults, unrestricted(each.at(spec), nil, r)...)
			}
		}
	}
	if len(faults) == 0 { // only all of it together is refused
		for _, r := range whole {
			faults = append(faults, unrestricted(spec, nil, r)...)
		}
	}
	return faults
}

// empty is a pod with what a container gets from its pod, and with none of the pod's
// lists and keys: it is judged once for each container, and is always of one size.
func empty(spec *corev1.PodSpec) *corev1.Pod {
	host := &corev1.Pod{Spec: corev1.PodSpec{OS: spec.OS,
		HostNetwork: spec.HostNetwork, HostPID: spec.HostPID, HostIPC: spec.HostIPC}}
	if s := spec.SecurityContext; s != nil {
		own := *s
		own.Sysctls, own.SupplementalGroups = nil, nil
		host.Spec.SecurityContext = &own
	}
	return host
}

func denials(pod *corev1.Pod) []policy.CheckResult {
	return podsecurity.Refusals(&pod.ObjectMeta, &pod.Spec)
}

// mends are the fields that a refusal of Pod Security is of, below the pod's spec or
// a container, and what to do there; by the beginning of the reason that it gives.
var mends = []struct{ reason, path, mend string }{
	{"allowPrivilegeEscalation", "securityContext.allowPrivilegeEscalation", "write false"},
	{"forbidden AppArmor", "securityContext.appArmorProfile", "leave it out"},
	{"non-default capabilities", "securityContext.capabilities.add", "leave it out"},
	{"unrestricted capabilities", "securityContext.capabilities", "write {drop: [ALL]}"},
	{"hostPath volumes", "volumes", "use an emptyDir or a claim"},
	{"restricted volume types", "volumes", "use an emptyDir, a claim, a ConfigMap or a Secret"},
	{"hostPort", "ports", "remove hostPort"},
	{"probe or lifecycle host", "", "remove the host from its probes and its lifecycle"},
	{"privileged", "securityContext.privileged", "remove it"},
	{"procMount", "securityContext.procMount", "remove it"},
	{"runAsNonRoot", "securityContext.runAsNonRoot", "write true"},
	{"runAsUser", "securityContext.runAsUser", "leave it out: the pod runs as 100"},
	{"seLinuxOptions", "securityContext.seLinuxOptions", "remove it"},
	{"seccompProfile", "securityContext.seccompProfile", "write {type: RuntimeDefault}"},
	{"forbidden sysctls", "securityContext.sysctls", "remove them"},
	{"hostProcess", "securityContext.windowsOptions.hostProcess", "remove it"},
}

// unrestricted is a refusal of Pod Security as a denial says it.
func unrestricted(at *field.Path, pod *corev1.Pod, r policy.CheckResult) field.ErrorList {
	const says = "is not Pod Security restricted: %s (%s); %s"
	if r.ForbiddenReason == "host namespaces" && pod != nil {
		return hostNamespaces(at, &pod.Spec, says)
	}
	for _, m := range mends {
		if strings.HasPrefix(r.ForbiddenReason, m.reason) {
			for _, name := range strings.FieldsFunc(m.path, func(c rune) bool { return c == '.' }) {
				at = at.Child(name)
			}
			return field.ErrorList{bad(at, "", says, r.ForbiddenReason, r.ForbiddenDetail, m.mend)}
		}
	}
	return field.ErrorList{bad(at, "", says, r.ForbiddenReason, r.ForbiddenDetail, "see https://kubernetes.io/docs/concepts/security/pod-security-standards")}
}

func hostNamespaces(at *field.Path, spec *corev1.PodSpec, says string) field.ErrorList {
	var faults field.ErrorList
	for _, f := range []struct {
		name string
		set  bool
	}{{"hostNetwork", spec.HostNetwork}, {"hostPID", spec.HostPID}, {"hostIPC", spec.HostIPC}} {
		if f.set {
			faults = append(faults, bad(at.Child(f.name), "true", says, "host namespaces", f.name+"=true", "remove it"))
		}
	}
	return faults
}

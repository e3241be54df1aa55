package injection

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/runkora/kora/operator/agents"
)

// isAgent reports whether a pod says that it is an agent's or a sandbox.
func isAgent(labels map[string]string) bool {
	component := labels[agents.LabelComponent]
	return component == agents.ComponentSessionManager || component == agents.ComponentSandbox
}

// claims reports which of an agent's marks a pod has that does not say what it is:
// by them it would be taken for one somewhere.
func claims(pod *corev1.Pod, tenant string) field.ErrorList {
	var faults field.ErrorList
	labels := field.NewPath("metadata", "labels")
	for _, key := range []string{agents.LabelAgentType, agents.LabelAgentSlug} {
		if value, has := pod.Labels[key]; has {
			faults = append(faults, bad(labels.Key(key), value, "marks an agent's pod, and %s is not session-manager or sandbox; remove the label: kora-agents makes agents' pods", agents.LabelComponent))
		}
	}
	if value, has := pod.Labels[agents.LabelTenant]; has && value != tenant {
		faults = append(faults, bad(labels.Key(agents.LabelTenant), value, "is another tenant than that of the namespace; remove the label, or write %s", tenant))
	}
	if account := pod.Spec.ServiceAccountName; strings.HasPrefix(account, agents.ObjectName("")) {
		faults = append(faults, bad(field.NewPath("spec", "serviceAccountName"), account, "is an agent's, with its identity; use a ServiceAccount of the pod's own"))
	}
	return slices.Concat(faults, volumes(pod, ""), sealedSecrets(pod))
}

// identity gives the faults of a pod that says that it is an agent's: everything by
// which it is known must say the same (R11).
func (i *Injector) identity(pod *corev1.Pod, tenant string) field.ErrorList {
	labels := field.NewPath("metadata", "labels")
	slug, kind := pod.Labels[agents.LabelAgentSlug], pod.Labels[agents.LabelAgentType]
	if err := agents.ValidateName(slug); err != nil {
		nobody := field.ErrorList{bad(labels.Key(agents.LabelAgentSlug), slug, "names no agent type: %v; write the agent's, or remove %s from a pod that is no agent's", err, agents.LabelComponent)}
		return slices.Concat(nobody, volumes(pod, ""), sealedSecrets(pod))
	}
	var faults field.ErrorList
	if err := agents.ValidateTypeID(kind); err != nil {
		faults = append(faults, bad(labels.Key(agents.LabelAgentType), kind, "is no agent type's id: %v; write the id of the agent type %s", err, slug))
	}
	component := pod.Labels[agents.LabelComponent]
	want := ours(component, slug, tenant)
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if got := pod.Labels[key]; got != want[key] {
			faults = append(faults, bad(labels.Key(key), got, "must be %s on a %s of the agent type %s in this namespace; kora-agents writes it, and nobody else may", want[key], component, slug))
		}
	}
	others := maps.Clone(pod.Labels)
	maps.DeleteFunc(others, func(key, _ string) bool { return want[key] != "" }) // just judged
	faults = append(faults, owned(labels, pod, others, nil)...)
	faults = append(faults, owned(field.NewPath("metadata", "annotations"), pod, pod.Annotations, i.settings.wiring())...)
	faults = append(faults, named(pod, component, slug)...)
	return slices.Concat(faults, volumes(pod, slug), sealedSecrets(pod))
}

// owned refuses every key that is kora's, a controller's or the mesh's, unless it
// is known to be theirs by its value, clouds' identities on a sandbox (R5), and
// networks beside the pod's own.
func owned(at *field.Path, pod *corev1.Pod, entries, known map[string]string) field.ErrorList {
	var faults field.ErrorList
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		value := entries[key]
		if pod.Labels[agents.LabelComponent] == agents.ComponentSandbox && agents.CloudIdentity(key) {
			faults = append(faults, bad(at.Key(key), value, "gives the pod a cloud identity, and a sandbox never has one; remove it"))
			continue
		}
		if agents.Network(key) {
			faults = append(faults, bad(at.Key(key), value, "chooses networks and addresses, which no policy of the tenant and no sidecar sees; remove it"))
			continue
		}
		reason, is := agents.Owned(key)
		if !is || known[key] == value && value != "" || key == agents.LabelAgentSlug || key == agents.LabelAgentType {
			continue
		}
		if meshWrites(key, value) || controllers(key, value, pod) {
			continue
		}
		faults = append(faults, bad(at.Key(key), value, "is not yours to set: %s; remove it", reason))
	}
	return faults
}

// controllers reports whether a label is one that the StatefulSet's controller put
// on its own pod.
func controllers(key, value string, pod *corev1.Pod) bool {
	if pod.Labels[agents.LabelComponent] != agents.ComponentSessionManager {
		return false
	}
	switch key {
	case "controller-revision-hash":
		return strings.HasPrefix(value, agents.ObjectName(pod.Labels[agents.LabelAgentSlug])+"-")
	case "statefulset.kubernetes.io/pod-name":
		return value == pod.Name
	case "apps.kubernetes.io/pod-index":
		return strings.HasSuffix(pod.Name, "-"+value)
	}
	return false
}

// named checks the pod's name, owner and account, which say the slug again.
func named(pod *corev1.Pod, component, slug string) field.ErrorList {
	name, at := pod.Name, field.NewPath("metadata", "name")
	if name == "" {
		name, at = pod.GenerateName, field.NewPath("metadata", "generateName")
	}
	var faults field.ErrorList
	account := "default"
	if component == agents.ComponentSandbox {
		if prefix := agents.SandboxName(slug, ""); !strings.HasPrefix(name, prefix) {
			faults = append(faults, bad(at, name, "must begin with %s, as every sandbox of the agent type %s does", prefix, slug))
		}
	} else {
		account = agents.ObjectName(slug)
		if rest, is := strings.CutPrefix(pod.Name, account+"-"); !is || !number(rest) {
			faults = append(faults, bad(at, name, "must be %s-<number>, as the StatefulSet of the agent type names its pods", account))
		}
		if owner := metav1.GetControllerOf(pod); owner == nil || owner.Kind != "StatefulSet" || owner.APIVersion != "apps/v1" || owner.Name != account {
			faults = append(faults, bad(field.NewPath("metadata", "ownerReferences"), ownerName(owner), "must name the StatefulSet %s as the controller: session-managers are not made by hand", account))
		}
	}
	if got := pod.Spec.ServiceAccountName; got != account && !(got == "" && account == "default") {
		faults = append(faults, bad(field.NewPath("spec", "serviceAccountName"), got, "must be %s on a %s", account, component))
	}
	return faults
}

func ownerName(owner *metav1.OwnerReference) string {
	if owner == nil {
		return "(none)"
	}
	return owner.Kind + " " + owner.Name
}

// bad is a fault of a short value.
func bad(at *field.Path, value, format string, args ...any) *field.Error {
	if runes := []rune(value); len(runes) > 100 {
		value = string(runes[:99]) + "…"
	}
	return field.Invalid(at, value, fmt.Sprintf(format, args...))
}

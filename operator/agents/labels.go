package agents

import (
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Label keys and values that kora puts on an agent type's objects ("Fixed names").
const (
	// LabelAgentType is on every object, for patches to select on (R3).
	LabelAgentType = "runkora.io/agent-type"
	// LabelAgentSlug is on every object.
	LabelAgentSlug = "runkora.io/agent-slug"
	// LabelComponent tells session-manager pods from sandboxes.
	LabelComponent = "runkora.io/component"
	// LabelTenant is on every object.
	LabelTenant = "runkora.io/tenant"

	// ComponentSessionManager and ComponentSandbox are LabelComponent's values.
	ComponentSessionManager = "session-manager"
	ComponentSandbox        = "sandbox"

	labelName      = "app.kubernetes.io/name"
	labelInstance  = "app.kubernetes.io/instance"
	labelManagedBy = "app.kubernetes.io/managed-by"
	labelPartOf    = "app.kubernetes.io/part-of"

	nameAgent   = "kora-agent"
	nameSandbox = "kora-sandbox"
)

// baseLabels are on all objects of the agent type; name is kora-agent or kora-sandbox.
func baseLabels(s Settings, name string) map[string]string {
	return map[string]string{
		LabelAgentType: s.TypeID,
		LabelAgentSlug: s.Slug,
		LabelTenant:    strings.TrimPrefix(s.Namespace, v1alpha1.TenantNamespacePrefix),
		labelName:      name,
		labelInstance:  ObjectName(s.Slug),
		labelManagedBy: "kora-agents",
		labelPartOf:    "kora",
	}
}

// sessionManagerLabels are on what runs the session-manager, or is made for one
// of its replicas.
func sessionManagerLabels(s Settings) map[string]string {
	labels := baseLabels(s, nameAgent)
	labels[LabelComponent] = ComponentSessionManager
	return labels
}

func sandboxLabels(s Settings) map[string]string {
	labels := baseLabels(s, nameSandbox)
	labels[LabelComponent] = ComponentSandbox
	return labels
}

// selector finds one component's pods. A StatefulSet's can never change, so it
// holds only what identifies the agent type for good: not the type id, which
// differs between a preview and the runtime, nor any setting.
func selector(s Settings, component string) map[string]string {
	return map[string]string{LabelAgentSlug: s.Slug, LabelComponent: component}
}

func labelSelector(s Settings, component string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: selector(s, component)}
}

// meta is the metadata of an object of the session-manager's side.
func meta(s Settings, labels map[string]string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: ObjectName(s.Slug), Namespace: s.Namespace, Labels: labels}
}

// podMetadata is kora's labels over a workload's own, without the keys that kora
// owns: a setting never moves a pod off its identity, even unchecked (R11).
func podMetadata(w Workload, labels map[string]string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Labels:      over(notOwned(w.PodLabels), labels),
		Annotations: notOwned(w.PodAnnotations),
	}
}

func notOwned(entries map[string]string) map[string]string {
	kept := over(entries, nil)
	for key := range entries {
		if _, owned := Owned(key); owned {
			delete(kept, key)
		}
	}
	return over(kept, nil)
}

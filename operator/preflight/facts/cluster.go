package facts

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Namespace is its labels.
type Namespace struct {
	Labels map[string]string `json:"labels"`
	// Leaving is that it is being deleted: it takes nothing new.
	Leaving bool `json:"leaving,omitempty"`
}

// Node is what placement looks at.
type Node struct {
	Name          string            `json:"name"`
	Labels        map[string]string `json:"labels"`
	Taints        []corev1.Taint    `json:"taints,omitempty"`
	Unschedulable bool              `json:"unschedulable,omitempty"`
	Ready         bool              `json:"ready"`
}

// DaemonSet is one of the node components that agents need.
type DaemonSet struct {
	Namespace   string              `json:"namespace"`
	Name        string              `json:"name"`
	Role        Role                `json:"role"`
	Tolerations []corev1.Toleration `json:"tolerations,omitempty"`
	Selector    map[string]string   `json:"nodeSelector,omitempty"`
	Affinity    *corev1.Affinity    `json:"affinity,omitempty"`
	// ReadyOn are the nodes on which its pod is ready, sorted.
	ReadyOn []string `json:"readyOn"`
}

// Role is what a DaemonSet does for agents.
type Role string

// The three that must run on every node with agents.
const (
	SpireAgent Role = "spire-agent"
	SpireCSI   Role = "spiffe-csi-driver"
	IstioCNI   Role = "istio-cni"
)

// Revision is one control plane of Istio that runs.
type Revision struct {
	Name      string `json:"name"` // "default" for the one without a name
	Namespace string `json:"namespace"`
	// Versions are those that its pods run, by their image's tag or labels;
	// an empty one is a pod that tells none.
	Versions []string `json:"versions"`
	Ready    int      `json:"ready"`
	// TrustDomain is its mesh configuration's; empty where it sets none.
	TrustDomain Part[string] `json:"trustDomain"`
	// CNI is pilot.cni.enabled.
	CNI Part[bool] `json:"cni"`
	// Injection is which of the pods that its webhooks take it injects; nil where a
	// file does not say so.
	Injection Part[*Injection] `json:"injection"`
}

// RuntimeClass is where it places its pods, besides what they say themselves.
type RuntimeClass struct {
	NodeSelector map[string]string   `json:"nodeSelector,omitempty"`
	Tolerations  []corev1.Toleration `json:"tolerations,omitempty"`
}

// StorageClass is a name and whether it is the default one.
type StorageClass struct {
	Name        string `json:"name"`
	Provisioner string `json:"provisioner"`
	Default     bool   `json:"default,omitempty"`
	// Declined is that somebody said that it is not the default one.
	Declined bool `json:"declined,omitempty"`
}

// Answer is what the API server said to a dry run of one object.
type Answer struct {
	Object string `json:"object"` // such as Deployment kora-system/kora-agents
	// Refused is the server's sentence; empty: it would take the object.
	Refused  string   `json:"refused,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	// Owner has an object of this name already; nil: it is not there, or nobody
	// looked. Unread says why it could not be looked at.
	Owner  *Owner `json:"owner,omitempty"`
	Unread string `json:"unread,omitempty"`
	// Absent is that the namespace of the object is not there: others stood in for it.
	Absent bool `json:"absent,omitempty"`
	// Untried says why the server was not asked at all.
	Untried string `json:"untried,omitempty"`
	// Short is what a ResourceQuota has no room for, of all that the release asks.
	Short string `json:"short,omitempty"`
}

// Owner is who an object says that it belongs to.
type Owner struct {
	ManagedBy string `json:"managedBy,omitempty"` // app.kubernetes.io/managed-by
	Release   string `json:"release,omitempty"`   // Helm's, by its annotation
	Namespace string `json:"namespace,omitempty"` // of that release
	ArgoCD    bool   `json:"argocd,omitempty"`    // Argo CD tracks it, or wrote it
}

// Namespace is where the object is, empty for one of the whole cluster.
func (a Answer) Namespace() string {
	_, name, _ := strings.Cut(a.Object, " ")
	if namespace, _, in := strings.Cut(name, "/"); in {
		return namespace
	}
	return ""
}

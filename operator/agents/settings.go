package agents

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Settings is everything that decides what the objects of one agent type look
// like before patches (R4). The zero value is not useful: start from [Defaults].
type Settings struct {
	// Slug names the agent type; its objects are called agent-<slug>.
	Slug string
	// TypeID is the value of runkora.io/agent-type (R3). Callers without one use
	// [DefaultTypeID].
	TypeID string
	// Namespace is the tenant's namespace that the objects live in.
	Namespace string

	Images Images
	// PullSecrets are names of Secrets in the namespace, for both pods (R21).
	PullSecrets []string

	// SessionManager and Sandbox place the two pods. What agents.workloads.common
	// says is already in both: see [MergeWorkload].
	SessionManager, Sandbox Workload

	// ServiceAccountAnnotations land on the agent's ServiceAccount, never on the
	// sandbox's, which has no cloud identity (R5).
	ServiceAccountAnnotations map[string]string

	Workspace Workspace

	// SandboxSize is the environment's size; the sandbox container gets exactly
	// that (R10).
	SandboxSize Size
	// Sidecars is what injection adds to a sandbox pod. Only [SandboxTotal] reads it.
	Sidecars Sidecars
	// SandboxMount is sandboxMount.enabled: the sandbox's working folder is on its
	// node's local disk, and the node agent mounts it into the session-manager (R57).
	SandboxMount bool

	Telemetry Telemetry
}

// Images are full references, with registry and tag or digest.
type Images struct {
	SessionManager, Sandbox string
}

// Workload is one block of agents.workloads (R4).
type Workload struct {
	NodeSelector              map[string]string
	Tolerations               []corev1.Toleration
	Affinity                  *corev1.Affinity
	TopologySpreadConstraints []corev1.TopologySpreadConstraint
	PriorityClassName         string
	// PodLabels and PodAnnotations reach the pod only, never a selector. Keys that
	// kora owns are refused by callers and ignored here: see [Owned] (R11).
	PodLabels, PodAnnotations map[string]string
}

// Workspace is agents.workspace: the volume that session-manager and sandbox share (R7).
type Workspace struct {
	// StorageClassName nil means the cluster's default class.
	StorageClassName *string
	AccessModes      []corev1.PersistentVolumeAccessMode
	Size             resource.Quantity
	// Claim is the claim as patches left it. When set, it and not the three fields
	// above is what the StatefulSet's claim template and the pin follow (R7, R8).
	Claim *corev1.PersistentVolumeClaim
}

// Size is an environment's size (R10). Disk is the node-local volume scratch.
type Size struct {
	CPU, Memory, Disk resource.Quantity
}

// Sidecars is what operator.injection.sandboxSidecars requests in all (R10).
type Sidecars struct {
	CPU, Memory resource.Quantity
}

// Telemetry is global.observability as far as agents see it (R28).
type Telemetry struct {
	// OTLPEndpoint empty means that the pods export nothing.
	OTLPEndpoint string
	// SamplingRate is a number between 0 and 1, as text.
	SamplingRate string
}

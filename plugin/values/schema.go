package values

import corev1 "k8s.io/api/core/v1"

// Values is what the values may hold, as far as kora checks it here: a key that
// is not in a struct is unknown (R20). What is typed any is either checked by a
// rule of its own in this package, or by somebody else: the chart's schema, and
// for manifest patches the patch engine.
type Values struct {
	Agents       Agents       `json:"agents"`
	Global       Global       `json:"global"`
	SandboxMount SandboxMount `json:"sandboxMount"`
	Operator     any          `json:"operator"` // see Sidecars

	FrontendHost     any `json:"frontendHost"`
	Config           any `json:"config"`
	NetworkPolicy    any `json:"networkPolicy"`
	Gateway          any `json:"gateway"`
	IngressGateway   any `json:"ingressGateway"`
	Istio            any `json:"istio"`
	Spire            any `json:"spire"`
	Theme            any `json:"theme"`
	Frontend         any `json:"frontend"`
	PolicyService    any `json:"policyService"`
	IdentityService  any `json:"identityService"`
	InferenceService any `json:"inferenceService"`
	MCPService       any `json:"mcpService"`
	TriggersService  any `json:"triggersService"`
	EgressGateway    any `json:"egressGateway"`
}

// Global is what all services share (R21, R28). A pull secret is given by its
// name, or as Kubernetes writes it: a map with the name.
type Global struct {
	TrustDomain      string        `json:"trustDomain"`
	ImageRegistry    string        `json:"imageRegistry"`
	ImageTag         string        `json:"imageTag"`
	ImagePullSecrets []any         `json:"imagePullSecrets"`
	Observability    Observability `json:"observability"`
	SystemNamespace  string        `json:"systemNamespace"`
	PostgresSSLMode  string        `json:"postgresSSLMode"`
	LogFormat        string        `json:"logFormat"`
}

// Observability is global.observability (R28).
type Observability struct {
	OTLPEndpoint       string `json:"otlpEndpoint"`
	CollectorNamespace string `json:"collectorNamespace"`
	SamplingRate       any    `json:"samplingRate"` // a number, or the text of one
}

// Agents is the block agents: what agent types are made of, and the component
// block of the kora-agents service itself, which the chart's schema checks.
type Agents struct {
	Workloads       Workloads      `json:"workloads"`
	Workspace       Workspace      `json:"workspace"`
	Environments    Environments   `json:"environments"`
	Config          Config         `json:"config"`
	SandboxImages   SandboxImages  `json:"sandboxImages"`
	SandboxWarming  SandboxWarming `json:"sandboxWarming"`
	ManifestPatches any            `json:"manifestPatches"`

	Replicas        any `json:"replicas"`
	Resources       any `json:"resources"`
	Image           any `json:"image"`
	ConfigOverrides any `json:"configOverrides"`
	ExtraEnv        any `json:"extraEnv"`
	PodAnnotations  any `json:"podAnnotations"`
	NodeSelector    any `json:"nodeSelector"`
	Tolerations     any `json:"tolerations"`
	Affinity        any `json:"affinity"`
	PDB             any `json:"pdb"`
	Autoscaling     any `json:"autoscaling"`
}

// Workloads is agents.workloads (R4).
type Workloads struct {
	Common         Workload               `json:"common"`
	SessionManager SessionManagerWorkload `json:"sessionManager"`
	Sandbox        Workload               `json:"sandbox"`
}

// Workload is one block of agents.workloads (R4).
type Workload struct {
	NodeSelector              map[string]string                 `json:"nodeSelector"`
	Tolerations               []corev1.Toleration               `json:"tolerations"`
	Affinity                  *corev1.Affinity                  `json:"affinity"`
	TopologySpreadConstraints []corev1.TopologySpreadConstraint `json:"topologySpreadConstraints"`
	PriorityClassName         string                            `json:"priorityClassName"`
	PodLabels                 map[string]string                 `json:"podLabels"`
	PodAnnotations            map[string]string                 `json:"podAnnotations"`
}

// SessionManagerWorkload alone has a ServiceAccount: a sandbox never gets a
// cloud identity (R5).
type SessionManagerWorkload struct {
	Workload
	ServiceAccount ServiceAccount `json:"serviceAccount"`
}

// ServiceAccount is agents.workloads.sessionManager.serviceAccount (R5).
type ServiceAccount struct {
	Annotations map[string]string `json:"annotations"`
}

// Workspace is agents.workspace (R7).
type Workspace struct {
	StorageClassName string   `json:"storageClassName"`
	AccessModes      []string `json:"accessModes"`
	Size             any      `json:"size"`
}

// Environments is agents.environments (R10).
type Environments struct {
	DefaultSize Size `json:"defaultSize"`
	MaxSize     Size `json:"maxSize"`
}

// Size holds quantities, which a rule of this package reads: the API's own
// reader takes minutes over an exponent of nine digits.
type Size struct {
	CPU    any `json:"cpu"`
	Memory any `json:"memory"`
	Disk   any `json:"disk"`
}

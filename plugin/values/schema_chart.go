package values

import corev1 "k8s.io/api/core/v1"

// Config is agents.config: images by full reference, empty for the release's.
type Config struct {
	SandboxImage        string `json:"sandboxImage"`
	SessionManagerImage string `json:"sessionManagerImage"`
}

// SandboxImages is agents.sandboxImages (R30).
type SandboxImages struct {
	Bundled         Bundled           `json:"bundled"`
	WarmBase        bool              `json:"warmBase"`
	RegistryPorts   []int32           `json:"registryPorts"`
	RegistryMirrors map[string]string `json:"registryMirrors"`
}

// Bundled are the images that kora publishes besides the base (R30).
type Bundled struct {
	Go     BundledImage `json:"go"`
	Python BundledImage `json:"python"`
	Node   BundledImage `json:"node"`
}

// BundledImage is one of them; an empty image is the release's.
type BundledImage struct {
	Enabled bool   `json:"enabled"`
	Warm    bool   `json:"warm"`
	Image   string `json:"image"`
}

// SandboxWarming is agents.sandboxWarming (R29).
type SandboxWarming struct {
	Mode      string  `json:"mode"`
	Replicas  int32   `json:"replicas"`
	Priority  int32   `json:"priority"`
	Resources Reserve `json:"resources"`
}

// Reserve is what a placeholder pod reserves, as a container's resources.
type Reserve struct {
	Requests map[string]any `json:"requests"`
	Limits   map[string]any `json:"limits"`
}

// SandboxMount is sandboxMount (R31).
type SandboxMount struct {
	Enabled         bool                `json:"enabled"`
	Port            int32               `json:"port"`
	Tolerations     []corev1.Toleration `json:"tolerations"`
	CreateNamespace bool                `json:"createNamespace"`
}

// Sidecars is operator.injection.sandboxSidecars (R10), the one closed block
// under operator.
type Sidecars struct {
	CPU    any `json:"cpu"`
	Memory any `json:"memory"`
}

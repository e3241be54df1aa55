package settings

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Settings are all modules of the operator.
type Settings struct {
	Operator
	Identity      Identity
	Mesh          Mesh
	Observability Observability
}

// Operator is the module internal/operator.
type Operator struct {
	Ports           Ports          `json:"ports"`
	SystemNamespace string         `json:"systemNamespace"`
	SyncPeriod      string         `json:"syncPeriod"` // as Go writes durations; see Settings.Sync
	LeaderElection  LeaderElection `json:"leaderElection"`
	// ImagePullSecrets are names of Secrets in the system namespace, copied to every tenant (R21).
	ImagePullSecrets []string `json:"imagePullSecrets"`
	// PlatformSecrets are the platform's own, which no tenant may name (R22).
	PlatformSecrets    []string `json:"platformSecrets"`
	SpireClassName     string   `json:"spireClassName"`
	CollectorNamespace string   `json:"collectorNamespace"` // empty: agents export to no namespace (R28)
	// CollectorCIDRs are where a collector outside of the cluster may be (R28).
	CollectorCIDRs []string `json:"collectorCIDRs"`
	NetworkPolicy  bool     `json:"networkPolicy"` // false: a CNI that cannot enforce them (R25)
	Preflight      bool     `json:"preflight"`
	// Installation is for preflight alone.
	Installation     Installation `json:"installation"`
	Sidecars         Sidecars     `json:"sidecars"`
	Enforcer         string       `json:"enforcer"` // image of kora's own sidecar (R54)
	SandboxMount     Mount        `json:"sandboxMount"`
	SandboxPlacement Placement    `json:"sandboxPlacement"`
	SandboxImages    Images       `json:"sandboxImages"`
}

// Ports that the operator listens on, on every address.
type Ports struct {
	Webhooks int `json:"webhooks"`
	Probes   int `json:"probes"`
	Metrics  int `json:"metrics"`
}

// LeaderElection names the Lease in the system namespace. It cannot be turned off but
// in a test: see validate.
type LeaderElection struct {
	Enabled bool   `json:"enabled"`
	Name    string `json:"name"`
}

// Sidecars are what the sidecars of one sandbox request in all (R10).
type Sidecars struct {
	CPU    resource.Quantity `json:"cpu"`
	Memory resource.Quantity `json:"memory"`
}

// Mount is the node agent's NFS export (R31, R57).
type Mount struct {
	Enabled bool `json:"enabled"`
	Port    int  `json:"port"`
}

// Placement is where sandboxes run, and so their warmed images.
type Placement struct {
	NodeSelector map[string]string   `json:"nodeSelector"`
	Tolerations  []corev1.Toleration `json:"tolerations"`
	Affinity     *corev1.Affinity    `json:"affinity"`
}

// Images are the base image and the bundled ones, by name (R30, R53).
type Images struct {
	Base    Base               `json:"base"`
	Bundled map[string]Bundled `json:"bundled"`
	// RegistryPorts may be read from besides 443.
	RegistryPorts []int `json:"registryPorts"`
	// RegistryMirrors maps a registry's host to "[http://]host[:port][/path]".
	RegistryMirrors map[string]string `json:"registryMirrors"`
}

// Base is the image kora-base.
type Base struct {
	Image string `json:"image"`
	Warm  bool   `json:"warm"`
}

// Bundled is one of the images that kora publishes.
type Bundled struct {
	Enabled bool   `json:"enabled"`
	Warm    bool   `json:"warm"`
	Image   string `json:"image"`
}

// Identity is the module internal/platform/identity.
type Identity struct {
	TrustDomain string   `json:"trustDomain"`
	Issuer      string   `json:"issuer"`
	Audiences   []string `json:"audiences"`
}

// Mesh is the module internal/platform/mesh.
type Mesh struct {
	Revision              string `json:"revision"` // empty: the default one
	OutboundTrafficPolicy string `json:"outboundTrafficPolicy"`
}

// RegistryOnly reports whether the mesh lets out only what a ServiceEntry names (R26).
func (m Mesh) RegistryOnly() bool { return m.OutboundTrafficPolicy == "REGISTRY_ONLY" }

// Observability is the module internal/platform/observability.
type Observability struct {
	LogFormat    string `json:"logFormat"` // json or console
	LogLevel     string `json:"logLevel"`  // debug, info, warn or error
	OTLPEndpoint string `json:"otlpEndpoint"`
	SamplingRate string `json:"samplingRate"`
}

// Sync is how often everything is read again.
func (s Settings) Sync() time.Duration {
	period, err := time.ParseDuration(s.SyncPeriod)
	if err != nil { // Load has refused it
		return DefaultSync
	}
	return period
}

// DefaultSync is the chart's operator.syncPeriod.
const DefaultSync = 10 * time.Minute

// MountNamespace is where the node agent of sandboxMount runs (R31).
const MountNamespace = "kora-sandbox-mount"

// Ports that tenants' pods reach or are reached on, whatever is configured.
const (
	DNSPort            = 53
	MeshPort           = 15012 // istiod, for sidecars
	GatewayPort        = 8443  // kora-egress
	SessionManagerPort = 8080
)

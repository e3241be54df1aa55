package preflight

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Settings is what the user's values say, as far as a check looks at it.
type Settings struct {
	Namespace    string // the system namespace
	TrustDomain  string
	FrontendHost string
	Revision     string // istio.revision; empty is the default one
	SpireClass   string
	StorageClass string // empty is the cluster's default
	Database     Endpoint
	Redis        Endpoint
	// PlatformSecret and FrontendSecret are names in the system namespace.
	PlatformSecret string
	FrontendSecret string
	PullSecrets    []string
	RedisCA        string // a Secret with ca.crt; empty: a public authority
	// Certificate is the gateway's Secret; empty where kora makes no gateway with TLS.
	Certificate  string
	SandboxMount Mount
	// Now tells the time that certificates are judged at.
	Now func() time.Time
	// Agents are the placements of session-managers and sandboxes.
	Agents []Placement
}

// Endpoint is where a service answers, and as whom kora connects.
type Endpoint struct {
	Host     string
	Port     int
	Database string
	User     string
	TLS      string // PostgreSQL: its sslmode; Redis: "require" or "disable"
}

// Mount is sandboxMount as far as preflight sees it.
type Mount struct {
	Enabled         bool
	Namespace       string
	CreateNamespace bool
}

// Placement is where one kind of agent pod may run.
type Placement struct {
	Name string // session-manager or sandbox
	Spec corev1.PodSpec
}

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
	// Pods are those of the release and of an agent type, by their labels.
	Pods []Pod
	// Claims are what an agent type claims of storage, patches included; none:
	// only StorageClass is known.
	Claims []Claim
	// Release is a digest of the objects that are tried; empty: none are.
	Release string
	// Flags are those of kora that give the values and the namespace, and Place
	// those that say which cluster, so that a fix can name the same.
	Flags []string
	Place []string
	// Collected is that facts of a bundle are judged, and no cluster is there to ask.
	Collected bool
	// Program is how this kora is called, nil: kora.
	Program []string
	// Account is who this run looked at the cluster as, by what the API server says
	// to that account itself; empty where nobody asked, as of a file. To nobody else
	// a fix gives a right.
	Account string
}

// Pod is one kind of kora's pods.
type Pod struct {
	Name      string // such as Deployment kora-agents
	Namespace string
	Tenant    bool // it runs in a tenant's namespace, whatever Namespace says
	Labels    map[string]string
}

// Claim is one claim for storage. Class is nil where the cluster's default one
// is meant, and Field is where it says its class; empty: spec.storageClassName.
type Claim struct {
	Object string
	Class  *string
	Field  string
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

package facts

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// The beginnings of why nothing of SPIRE could be read: nobody sees it run, or only
// where nothing is taken from it.
const (
	NoSpire        = "no workload of SPIRE was found"
	SpireElsewhere = "SPIRE is only seen in namespace "
)

// Spire is what of SPIRE kora stands on.
type Spire struct {
	// Class is the controller manager's className.
	Class Part[string] `json:"class"`
	// Manager are the other settings of it that say whose pods get an identity.
	Manager Part[Manager] `json:"controllerManager"`
	// TrustDomains are those of its server, agent and controller manager, by the
	// name of the ConfigMap that says so.
	TrustDomains Part[map[string]string] `json:"trustDomains"`
	// SDS are the agent's three names for what Envoy asks for.
	SDS Part[SDS] `json:"sds"`
	// IDs are the ClusterSPIFFEIDs that are not kora's.
	IDs Part[[]SpiffeID] `json:"clusterSPIFFEIDs"`
	// CSI is whether csi.spiffe.io is registered.
	CSI Part[bool] `json:"csiDriver"`
}

// Manager is what of the controller manager's file bears on kora besides its class.
type Manager struct {
	// Classless is that it reads ClusterSPIFFEIDs without a class too.
	Classless bool `json:"watchClassless,omitempty"`
	// Idle is the setting by which it reads none at all; empty: it reads them.
	Idle string `json:"idle,omitempty"`
	// Ignored are the expressions of namespaces that it leaves out, each of which
	// matches any part of a name.
	Ignored []string `json:"ignoreNamespaces,omitempty"`
	// Watched are the only namespaces of which it sees every pod; nil: all.
	Watched *[]string `json:"cacheNamespaces"`
}

// SDS is the agent's sds block; empty fields are not set, and SPIRE's own defaults count.
type SDS struct {
	Svid       string `json:"defaultSVIDName"`
	Bundle     string `json:"defaultBundleName"`
	AllBundles string `json:"defaultAllBundlesName"`
}

// SpiffeID is one ClusterSPIFFEID.
type SpiffeID struct {
	Name     string `json:"name"`
	Class    string `json:"className"`
	Fallback bool   `json:"fallback"`
	// Declined is that it says itself that it is none.
	Declined bool `json:"declined,omitempty"`
	// Namespaces and Pods are its selectors; nil takes all.
	Namespaces *metav1.LabelSelector `json:"namespaceSelector,omitempty"`
	Pods       *metav1.LabelSelector `json:"podSelector,omitempty"`
}

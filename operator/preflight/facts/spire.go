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

// SDS is the agent's sds block; empty fields are not set.
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

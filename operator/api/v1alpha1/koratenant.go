package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// R50. The name becomes a namespace, a label and a part of every identity; names
// of platform namespaces would mislead whoever reads those. A tenant may well be
// called "kora".

// KoraTenant is a team: a namespace kora-tenant-<name> with its network policies,
// rights, certificate authority and policy configuration, and the OIDC client by
// which the team signs in.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=koratenants,singular=koratenant,scope=Cluster,shortName=kt,categories=kora
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=='Ready')].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=='Ready')].reason`
// +kubebuilder:printcolumn:name="Namespace",type=string,JSONPath=`.status.namespace`
// +kubebuilder:printcolumn:name="Suspended",type=boolean,JSONPath=`.spec.suspended`
// +kubebuilder:printcolumn:name="Issuer",type=string,priority=1,JSONPath=`.spec.oidc.issuer`
// +kubebuilder:printcolumn:name="CA-Ends",type=string,format=date-time,priority=1,JSONPath=`.status.caNotAfter`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule=`self.metadata.name.matches(r'^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 51`,fieldPath=".metadata",message="metadata.name must be a DNS label of at most 51 characters (lower-case letters, digits and '-'), so that the namespace kora-tenant-<name> fits 63: choose a shorter or plainer name"
// +kubebuilder:validation:XValidation:rule=`!(self.metadata.name in ['default', 'system']) && !self.metadata.name.matches(r'^(kube|kora|istio|spire)-')`,fieldPath=".metadata",message="metadata.name is reserved: 'default', 'system' and names that begin with 'kube-', 'kora-', 'istio-' or 'spire-' are the platform's; choose another name"
type KoraTenant struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec is what the tenant should be.
	// +required
	Spec KoraTenantSpec `json:"spec"`
	// status is what the operator found and made.
	// +optional
	Status KoraTenantStatus `json:"status,omitzero"`
}

// KoraTenantSpec is what a tenant should be.
type KoraTenantSpec struct {
	// displayName is what people see in place of the name, such as "Data Platform".
	// 1 to 63 characters. Absent: the name.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:XValidation:rule=`self.matches(r'^[^\pC\pZ](([^\pC\pZ]|[ \x{3000}])*[^\pC\pZ])?$') && !self.matches(r'[\x{34f}\x{115f}\x{1160}\x{17b4}\x{17b5}\x{180b}-\x{180d}\x{180f}\x{2800}\x{3164}\x{ffa0}\x{fe00}-\x{fe0f}\x{e0100}-\x{e01ef}]')`,message="displayName must be one line without control or invisible characters, fillers and spaces that do not break among them, and without spaces at its ends: write letters that show, and plain spaces"
	DisplayName string `json:"displayName,omitempty"`

	// oidc is the client by which the tenant's people sign in.
	// +required
	OIDC TenantOIDC `json:"oidc"`

	// imagePullSecrets are kubernetes.io/dockerconfigjson Secrets of the system
	// namespace. The operator copies them into the tenant's namespace and keeps the
	// copies equal. Those of the chart's global.imagePullSecrets are copied anyway.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=16
	ImagePullSecrets []LocalReference `json:"imagePullSecrets,omitempty"`

	// suspended takes the tenant out of the registries: nobody signs in and no run
	// starts. Nothing is deleted, and false brings everything back.
	// +optional
	// +default=false
	Suspended bool `json:"suspended,omitempty"`

	// deletionPolicy decides what becomes of the namespace when the KoraTenant is
	// deleted. Retain keeps it with everything in it, workspaces too. Delete deletes
	// it, and nothing brings it back.
	// +optional
	// +default="Retain"
	DeletionPolicy DeletionPolicy `json:"deletionPolicy,omitempty"`
}

// DeletionPolicy decides what becomes of a deleted tenant's namespace.
//
// +kubebuilder:validation:Enum=Retain;Delete
type DeletionPolicy string

// The values of spec.deletionPolicy.
const (
	DeletionRetain DeletionPolicy = "Retain"
	DeletionDelete DeletionPolicy = "Delete"
)

// KoraTenantList is a list of tenants.
//
// +kubebuilder:object:root=true
type KoraTenantList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitzero"`
	Items           []KoraTenant `json:"items"`
}

// Common gives the part of the status that all kinds share.
func (t *KoraTenant) Common() *CommonStatus { return &t.Status.CommonStatus }

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// KoraTenantStatus is what the operator found and made. Its conditions are Ready,
// NamespaceReady, CAReady, PolicyReady, RegistriesReady and ImagesReady.
type KoraTenantStatus struct {
	CommonStatus `json:",inline"`

	// namespace is the tenant's, once the operator has made it.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	Namespace string `json:"namespace,omitempty"`

	// caNotAfter is when the tenant's certificate authority ends. The operator
	// renews it at two thirds of its life.
	// +optional
	CANotAfter *metav1.Time `json:"caNotAfter,omitempty"`

	// inventory lists what the operator keeps for this tenant, and what is wrong with
	// what is not right.
	// +optional
	// +listType=map
	// +listMapKey=kind
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=256
	Inventory []InventoryItem `json:"inventory,omitempty"`
}

// InventoryItem is one object that the operator keeps for a tenant.
type InventoryItem struct {
	// kind of the object, such as "NetworkPolicy".
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Kind string `json:"kind"`

	// name of the object.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`

	// state: Ready is as it should be, Pending is not there yet, Failed could not be
	// made or changed, and Conflict belongs to somebody else and is left alone.
	// +required
	State InventoryState `json:"state"`

	// reason says in words why the state is not Ready, and what to do.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Reason string `json:"reason,omitempty"`
}

// InventoryState is how it stands with one object.
//
// +kubebuilder:validation:Enum=Ready;Pending;Failed;Conflict
type InventoryState string

// The values of status.inventory[].state.
const (
	InventoryReady    InventoryState = "Ready"
	InventoryPending  InventoryState = "Pending"
	InventoryFailed   InventoryState = "Failed"
	InventoryConflict InventoryState = "Conflict"
)

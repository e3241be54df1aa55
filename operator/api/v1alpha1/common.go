package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Object is what every kind of this package is, so that one reconciler's shape
// serves all of them.
//
// +kubebuilder:object:generate=false
type Object interface {
	runtime.Object
	metav1.Object
	// Common gives the part of the status that all kinds share, to read or change.
	Common() *CommonStatus
}

// CommonStatus is the part of the status that all kinds share.
type CommonStatus struct {
	// observedGeneration is the metadata.generation that this status speaks of.
	// While it is smaller, the operator has not seen the latest change yet.
	// +optional
	// +kubebuilder:validation:Minimum=0
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// conditions say what holds and, when something does not, why and what to do.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=16
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// LocalReference names an object that lives in the same namespace. It takes no
// namespace: references never leave a tenant.
type LocalReference struct {
	// name of the object, such as "kora-registry".
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule=`self.matches(r'^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')`,message="name must be an object's name: lower-case letters, digits, '-' and '.', with a letter or digit at both ends; it names no namespace"
	Name string `json:"name"`
}

// SecretKeyReference names one key of a Secret that lives in the same namespace
// (for a KoraTenant, which has none: in kora's system namespace).
type SecretKeyReference struct {
	LocalReference `json:",inline"`

	// key in the Secret's data that holds the value, such as "client-secret".
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule=`self.matches(r'^[-._a-zA-Z0-9]+$')`,message="key must be a key of a Secret: letters, digits, '-', '_' and '.'"
	Key string `json:"key"`
}

// Scope is one OAuth scope, such as "repo:read".
//
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=256
// +kubebuilder:validation:XValidation:rule=`self.matches(r'^[\x21\x23-\x5b\x5d-\x7e]+$')`,message="scopes takes one scope an entry, without spaces, quotes and backslashes: write each scope as an entry of its own"
type Scope string

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// R51, R26: the operator makes a ServiceEntry of the endpoint's host, so that
// host must be outside the cluster.

// ModelProvider is an upstream of the inference service: it answers a tenant's
// calls to the models that it lists.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=modelproviders,singular=modelprovider,scope=Namespaced,shortName=mp,categories=kora
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=='Ready')].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=='Ready')].reason`
// +kubebuilder:printcolumn:name="Type",type=string,JSONPath=`.spec.type`
// +kubebuilder:printcolumn:name="Endpoint",type=string,JSONPath=`.spec.endpoint`
// +kubebuilder:printcolumn:name="Models",type=string,priority=1,JSONPath=`.spec.models[*].name`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule=`self.metadata.name.matches(r'^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 50`,fieldPath=".metadata",message="metadata.name must be a DNS label of at most 50 characters (lower-case letters, digits and '-'), so that the names made of it fit: choose a shorter or plainer name"
type ModelProvider struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec is what the provider should be.
	// +required
	Spec ModelProviderSpec `json:"spec"`
	// status is what the operator found and made.
	// +optional
	Status ModelProviderStatus `json:"status,omitzero"`
}

// ModelProviderSpec is what a provider should be.
//
// +kubebuilder:validation:XValidation:rule=`!(self.type in ['anthropic', 'openai', 'azure-openai']) || has(self.secretRef)`,fieldPath=".secretRef",reason=FieldValueRequired,message="secretRef is required for type anthropic, openai and azure-openai: name the key of a Secret of this namespace that holds the API key"
type ModelProviderSpec struct {
	// type is the API that the endpoint speaks. It cannot change: the models and the
	// key belong to it.
	// +required
	// +kubebuilder:validation:XValidation:rule=`self == oldSelf`,message="type cannot change: make another ModelProvider, and delete this one when nothing uses it"
	Type ModelProviderType `json:"type"`

	// endpoint is the API's base URL, such as "https://api.anthropic.com" or
	// "https://models.example.com:8443/v1". https, with a DNS name outside the cluster
	// as its host, without user, query and fragment; at most 512 characters.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:XValidation:rule=`self.matches(r'^https://([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?(:[1-9][0-9]{0,4})?(/[A-Za-z0-9._~!$&()*+,;=:@%/-]*)?$')`,message="endpoint must be an https URL with a DNS name as its host and without user, query and fragment, such as https://api.example.com/v1"
	// +kubebuilder:validation:XValidation:rule=`!self.matches(r'^https://[^/:?]*\.(localhost|svc|cluster\.local)([/:?]|$)')`,message="endpoint must be outside the cluster: give the models a host of their own behind TLS"
	Endpoint string `json:"endpoint"`

	// models that the provider answers for, each once. 1 to 100.
	// +required
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=100
	Models []Model `json:"models"`

	// secretRef names the key of a Secret in the provider's namespace that holds the
	// API key. Required for anthropic, openai and azure-openai.
	// +optional
	SecretRef *SecretKeyReference `json:"secretRef,omitempty"`
}

// ModelProviderType is an API of model providers.
//
// +kubebuilder:validation:Enum=anthropic;openai;azure-openai;bedrock;vertex;openai-compatible
type ModelProviderType string

// The values of spec.type.
const (
	ProviderAnthropic        ModelProviderType = "anthropic"
	ProviderOpenAI           ModelProviderType = "openai"
	ProviderAzureOpenAI      ModelProviderType = "azure-openai"
	ProviderBedrock          ModelProviderType = "bedrock"
	ProviderVertex           ModelProviderType = "vertex"
	ProviderOpenAICompatible ModelProviderType = "openai-compatible"
)

// Model is one model of a provider.
type Model struct {
	// name of the model at the provider, such as "claude-sonnet-4-5".
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:XValidation:rule=`self.matches(r'^[A-Za-z0-9]([A-Za-z0-9._:/@+-]*[A-Za-z0-9])?$')`,message="name must be a model's name at the provider: letters, digits and '.', '_', ':', '/', '@', '+', '-', with a letter or digit at both ends"
	Name string `json:"name"`

	// weight is this provider's share of the calls, 0 to 100, beside the weights that
	// the tenant's other providers give the same model. 0 sends none here.
	// +optional
	// +default=100
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	Weight *int32 `json:"weight,omitempty"`
}

// ModelProviderStatus is what the operator found and made. Its condition is Ready.
type ModelProviderStatus struct {
	CommonStatus `json:",inline"`

	// serviceEntry is the name of the ServiceEntry by which the mesh reaches the
	// endpoint. Absent when the mesh lets everything out.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	ServiceEntry string `json:"serviceEntry,omitempty"`
}

// ModelProviderList is a list of providers.
//
// +kubebuilder:object:root=true
type ModelProviderList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitzero"`
	Items           []ModelProvider `json:"items"`
}

// Common gives the part of the status that all kinds share.
func (p *ModelProvider) Common() *CommonStatus { return &p.Status.CommonStatus }

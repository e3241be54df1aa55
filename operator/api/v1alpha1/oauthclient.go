package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// R51. A client stays what it is: a confidential one that turned public would let
// its stolen codes be redeemed without a secret.

// OAuthClient is an application that signs people in with kora, or calls kora's
// APIs on its own.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=oauthclients,singular=oauthclient,scope=Namespaced,shortName=oac,categories=kora
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=='Ready')].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=='Ready')].reason`
// +kubebuilder:printcolumn:name="Public",type=boolean,JSONPath=`.spec.public`
// +kubebuilder:printcolumn:name="Grants",type=string,JSONPath=`.spec.grantTypes`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule=`self.metadata.name.matches(r'^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 50`,fieldPath=".metadata",message="metadata.name must be a DNS label of at most 50 characters (lower-case letters, digits and '-'), so that the names made of it fit: choose a shorter or plainer name"
type OAuthClient struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec is what the client should be.
	// +required
	Spec OAuthClientSpec `json:"spec"`
	// status is what the operator found.
	// +optional
	Status OAuthClientStatus `json:"status,omitzero"`
}

// OAuthClientSpec is what a client should be.
//
// +kubebuilder:validation:XValidation:rule=`(has(self.public) && self.public) != has(self.secretRef)`,message="exactly one of public: true and secretRef is required: a client that cannot keep a secret (a browser, a command line) is public, any other names its Secret"
// +kubebuilder:validation:XValidation:rule=`has(self.secretRef) == has(oldSelf.secretRef)`,message="public and secretRef cannot change into one another: a client stays public or confidential; make another OAuthClient"
// +kubebuilder:validation:XValidation:rule=`!('authorization_code' in self.grantTypes) || has(self.redirectURIs)`,fieldPath=".redirectURIs",reason=FieldValueRequired,message="redirectURIs is required for the grant authorization_code: list where people return to after signing in"
// +kubebuilder:validation:XValidation:rule=`'authorization_code' in self.grantTypes || !has(self.redirectURIs)`,fieldPath=".redirectURIs",reason=FieldValueForbidden,message="redirectURIs is only for the grant authorization_code: remove it, or add the grant"
// +kubebuilder:validation:XValidation:rule=`!('client_credentials' in self.grantTypes) || has(self.secretRef)`,fieldPath=".grantTypes",message="grantTypes: client_credentials is only for a client with a secret: set secretRef in place of public, or remove the grant"
// +kubebuilder:validation:XValidation:rule=`!('refresh_token' in self.grantTypes) || 'authorization_code' in self.grantTypes`,fieldPath=".grantTypes",message="grantTypes: refresh_token goes with authorization_code, which gives the first token: add authorization_code, or remove the grant"
type OAuthClientSpec struct {
	// redirectURIs are where people may return to after signing in, compared
	// character by character: https URLs such as "https://app.example.com/callback",
	// without fragment, wildcard and user. At most 20.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=20
	RedirectURIs []RedirectURI `json:"redirectURIs,omitempty"`

	// grantTypes that the client may use.
	// +required
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=3
	GrantTypes []GrantType `json:"grantTypes"`

	// scopes that the client may ask for, at most 64. Absent: none beyond signing in.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	Scopes []Scope `json:"scopes,omitempty"`

	// public is true for a client that cannot keep a secret, such as a browser
	// application. It must use PKCE. Exactly one of public and secretRef.
	// +optional
	Public bool `json:"public,omitempty"`

	// secretRef names the key of a Secret in the client's namespace that holds the
	// client's secret. Exactly one of public and secretRef.
	// +optional
	SecretRef *SecretKeyReference `json:"secretRef,omitempty"`
}

// RedirectURI is where a person returns to after signing in.
//
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=512
// +kubebuilder:validation:XValidation:rule=`self.startsWith('https://')`,message="redirectURIs takes https URLs: plain http and other schemes are refused, for loopback addresses too"
// +kubebuilder:validation:XValidation:rule=`!self.contains('#') && !self.contains('*')`,message="redirectURIs takes no fragment and no wildcard: list every URI in full, without '#' and '*'"
// +kubebuilder:validation:XValidation:rule=`!self.startsWith('https://') || self.matches(r'^https://([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?(:[1-9][0-9]{0,4})?(/[A-Za-z0-9._~!$&()*+,;=:@%/-]*)?(\?[A-Za-z0-9._~!$&()*+,;=:@%/?-]*)?(#.*)?$')`,message="redirectURIs takes URLs with a lower-case DNS name as host and without user: write it as https://app.example.com/callback"
// +kubebuilder:validation:XValidation:rule=`!self.matches(r'/\.\.?([/?#]|$)')`,message="redirectURIs takes no '.' and '..' segments: write the path that is meant"
type RedirectURI string

// GrantType is a way to get a token.
//
// +kubebuilder:validation:Enum=authorization_code;refresh_token;client_credentials
type GrantType string

// The values of spec.grantTypes.
const (
	GrantAuthorizationCode GrantType = "authorization_code"
	GrantRefreshToken      GrantType = "refresh_token"
	GrantClientCredentials GrantType = "client_credentials"
)

// OAuthClientStatus is what the operator found. Its condition is Ready.
type OAuthClientStatus struct {
	CommonStatus `json:",inline"`
}

// OAuthClientList is a list of clients.
//
// +kubebuilder:object:root=true
type OAuthClientList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitzero"`
	Items           []OAuthClient `json:"items"`
}

// Common gives the part of the status that all kinds share.
func (c *OAuthClient) Common() *CommonStatus { return &c.Status.CommonStatus }

package v1alpha1

// R51: the operator does not watch the client's Secret and picks a rotated one up
// on its periodic reconcile. That no two tenants claim one domain is the webhook's
// to see (R54).

// TenantOIDC is a client that the tenant's identity provider registered for kora.
type TenantOIDC struct {
	// issuer is the provider's URL, exactly as its discovery document says it, such
	// as "https://login.example.com/realms/data". https, without user, query and
	// fragment; at most 512 characters.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:XValidation:rule=`self.matches(r'^https://([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?(:[1-9][0-9]{0,4})?(/[A-Za-z0-9._~!$&()*+,;=:@%/-]*)?$')`,message="issuer must be an https URL with a DNS name as its host and without user, query and fragment: write it as the provider's discovery document does, such as https://login.example.com/realms/data"
	// +kubebuilder:validation:XValidation:rule=`!self.matches(r'^https://[^/:?]*\.(localhost|svc|cluster\.local)([/:?]|$)')`,message="issuer must be outside the cluster, since browsers are sent there: write the provider's public address"
	Issuer string `json:"issuer"`

	// clientID is the client's identifier at the provider. 1 to 255 characters.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=255
	// +kubebuilder:validation:XValidation:rule=`self.matches(r'^[\x21-\x7e]+$')`,message="clientID must be printable ASCII without spaces: copy it from the provider"
	ClientID string `json:"clientID"`

	// clientSecretRef names the key of a Secret in kora's system namespace that holds
	// the client's secret. Absent: a public client, which has none.
	// +optional
	ClientSecretRef *SecretKeyReference `json:"clientSecretRef,omitempty"`

	// domains are the email domains whose people this tenant signs in, such as
	// "example.com". At most 100; no two tenants may list the same one. Absent: people
	// choose the tenant when they sign in.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=100
	Domains []Domain `json:"domains,omitempty"`
}

// Domain is a lower-case DNS name with at least two labels.
//
// +kubebuilder:validation:MinLength=3
// +kubebuilder:validation:MaxLength=253
// +kubebuilder:validation:XValidation:rule=`self.matches(r'^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$')`,message="domains takes lower-case DNS names such as example.com: leave out '@', wildcards and a dot at the end, and write international names in their xn-- form"
type Domain string

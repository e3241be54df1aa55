package v1alpha1

// R51: one flat union, in which each type has exactly the fields that it needs.

// Authentication is what the egress gateway adds to each request of a connection.
//
// +kubebuilder:validation:XValidation:rule=`self.type == 'none' || has(self.secretRef)`,fieldPath=".secretRef",reason=FieldValueRequired,message="authentication.secretRef is required for type bearer, basic, oauth2 and mtls: name a Secret of this namespace"
// +kubebuilder:validation:XValidation:rule=`self.type != 'none' || !has(self.secretRef)`,fieldPath=".secretRef",reason=FieldValueForbidden,message="authentication.secretRef is not for type none: remove it, or choose the type that uses it"
// +kubebuilder:validation:XValidation:rule=`!(self.type in ['bearer', 'oauth2']) || !has(self.secretRef) || has(self.secretRef.key)`,fieldPath=".secretRef.key",reason=FieldValueRequired,message="authentication.secretRef.key is required for type bearer and oauth2: name the key that holds the token or the client secret"
// +kubebuilder:validation:XValidation:rule=`!(self.type in ['basic', 'mtls']) || !has(self.secretRef) || !has(self.secretRef.key)`,fieldPath=".secretRef.key",reason=FieldValueForbidden,message="authentication.secretRef.key is only for type bearer and oauth2: basic reads the keys username and password, mtls tls.crt and tls.key; remove it"
// +kubebuilder:validation:XValidation:rule=`self.type == 'bearer' || !has(self.header)`,fieldPath=".header",reason=FieldValueForbidden,message="authentication.header is only for type bearer: remove it"
// +kubebuilder:validation:XValidation:rule=`self.type != 'oauth2' || has(self.tokenURL)`,fieldPath=".tokenURL",reason=FieldValueRequired,message="authentication.tokenURL is required for type oauth2: write the https URL of the service's token endpoint"
// +kubebuilder:validation:XValidation:rule=`self.type == 'oauth2' || !has(self.tokenURL)`,fieldPath=".tokenURL",reason=FieldValueForbidden,message="authentication.tokenURL is only for type oauth2: remove it"
// +kubebuilder:validation:XValidation:rule=`self.type != 'oauth2' || has(self.clientID)`,fieldPath=".clientID",reason=FieldValueRequired,message="authentication.clientID is required for type oauth2: write the client's identifier at the service"
// +kubebuilder:validation:XValidation:rule=`self.type == 'oauth2' || !has(self.clientID)`,fieldPath=".clientID",reason=FieldValueForbidden,message="authentication.clientID is only for type oauth2: remove it"
// +kubebuilder:validation:XValidation:rule=`self.type == 'oauth2' || !has(self.scopes)`,fieldPath=".scopes",reason=FieldValueForbidden,message="authentication.scopes is only for type oauth2: remove it"
type Authentication struct {
	// type: none adds nothing; bearer adds a token as a header; basic adds a user name
	// and password; oauth2 adds a token that it gets with the client credentials grant;
	// mtls shows a client certificate.
	// +required
	// +unionDiscriminator
	Type AuthenticationType `json:"type"`

	// secretRef names the Secret with the credentials, in the connection's namespace.
	// Required for every type but none.
	// +optional
	SecretRef *CredentialsReference `json:"secretRef,omitempty"`

	// header that carries the token of type bearer, such as "X-Api-Key". In
	// Authorization the token stands behind "Bearer ", in any other header alone.
	// Absent: Authorization.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:XValidation:rule=`self.matches(r'^[!#$%&*+.^_|~0-9A-Za-z-]+$')`,message="header must be an HTTP header's name such as X-Api-Key: letters, digits and '-', without a colon or spaces"
	// +kubebuilder:validation:XValidation:rule=`!(self.lowerAscii().replace('_', '-') in ['host', 'connection', 'te', 'trailer', 'upgrade', 'http2-settings', 'keep-alive', 'expect', 'cookie', 'set-cookie', 'via', 'forwarded', 'max-forwards', 'alt-used', 'early-data', 'origin', 'range', 'b3', 'traceparent', 'tracestate', 'x-request-id', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'x-cluster-client-ip']) && !self.lowerAscii().replace('_', '-').matches(r'^(proxy|sec|content|transfer|grpc|x-forwarded|x-envoy|x-istio|x-b3|x-original|x-rewrite|x-http-method|x-method)(-|$)')`,message="header must not be one by which a connection is kept or a request finds its way (Host, Content-*, Via, Forwarded, Cookie, Proxy-*, X-Forwarded-* and the like, also with '_' for '-'): use Authorization or the service's own header"
	Header string `json:"header,omitempty"`

	// tokenURL is the token endpoint of type oauth2, such as
	// "https://login.example.com/oauth/token". At most 512 characters.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:XValidation:rule=`self.matches(r'^https://([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?(:[1-9][0-9]{0,4})?(/[A-Za-z0-9._~!$&()*+,;=:@%/-]*)?(\?[A-Za-z0-9._~!$&()*+,;=:@%/?-]*)?$')`,message="tokenURL must be an https URL with a DNS name as its host and without user and fragment, such as https://login.example.com/oauth/token"
	// +kubebuilder:validation:XValidation:rule=`!self.matches(r'^https://[^/:?]*\.(localhost|svc|cluster\.local)([/:?]|$)')`,message="tokenURL must be outside the cluster: write the service's public token endpoint"
	TokenURL string `json:"tokenURL,omitempty"`

	// clientID is the client's identifier of type oauth2. 1 to 255 characters.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=255
	// +kubebuilder:validation:XValidation:rule=`self.matches(r'^[\x21-\x7e]+$')`,message="clientID must be printable ASCII without spaces: copy it from the service"
	ClientID string `json:"clientID,omitempty"`

	// scopes that type oauth2 asks for, at most 64. Absent: the service's default.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	Scopes []Scope `json:"scopes,omitempty"`
}

// AuthenticationType is a way to authenticate.
//
// +kubebuilder:validation:Enum=none;bearer;basic;oauth2;mtls
type AuthenticationType string

// The values of spec.authentication.type.
const (
	AuthenticationNone   AuthenticationType = "none"
	AuthenticationBearer AuthenticationType = "bearer"
	AuthenticationBasic  AuthenticationType = "basic"
	AuthenticationOAuth2 AuthenticationType = "oauth2"
	AuthenticationMTLS   AuthenticationType = "mtls"
)

// CredentialsReference names a Secret of the same namespace. For bearer and oauth2
// it names the key too; basic reads the keys username and password (type
// kubernetes.io/basic-auth), mtls reads tls.crt and tls.key (type kubernetes.io/tls).
type CredentialsReference struct {
	LocalReference `json:",inline"`

	// key in the Secret's data that holds the token (bearer) or the client secret
	// (oauth2), such as "token". Required for these two and refused for the others.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule=`self.matches(r'^[-._a-zA-Z0-9]+$')`,message="key must be a key of a Secret: letters, digits, '-', '_' and '.'"
	Key string `json:"key,omitempty"`
}

// The keys that types basic and mtls read.
const (
	BasicUsernameKey = "username"
	BasicPasswordKey = "password"
	TLSCertKey       = "tls.crt"
	TLSPrivateKeyKey = "tls.key"
)

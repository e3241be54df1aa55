package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// R51. Hosts inside the cluster are refused: the egress gateway would carry the
// tenant's agents past the network policies that hold them.

// Connection is an external service that a tenant's agents reach through the
// egress gateway, which adds the credentials: agents never hold them.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=connections,singular=connection,scope=Namespaced,shortName=conn,categories=kora
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=='Ready')].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=='Ready')].reason`
// +kubebuilder:printcolumn:name="Auth",type=string,JSONPath=`.spec.authentication.type`
// +kubebuilder:printcolumn:name="Hosts",type=string,JSONPath=`.spec.hosts`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule=`self.metadata.name.matches(r'^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 50`,fieldPath=".metadata",message="metadata.name must be a DNS label of at most 50 characters (lower-case letters, digits and '-'), so that the names made of it fit: choose a shorter or plainer name"
type Connection struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec is what the connection should be.
	// +required
	Spec ConnectionSpec `json:"spec"`
	// status is what the operator found.
	// +optional
	Status ConnectionStatus `json:"status,omitzero"`
}

// ConnectionSpec is what a connection should be.
type ConnectionSpec struct {
	// displayName is what people see in place of the name, such as "GitHub".
	// 1 to 63 characters. Absent: the name.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:XValidation:rule=`self.matches(r'^[^\pC\pZ](([^\pC\pZ]|[ \x{3000}])*[^\pC\pZ])?$') && !self.matches(r'[\x{34f}\x{115f}\x{1160}\x{17b4}\x{17b5}\x{180b}-\x{180d}\x{180f}\x{2800}\x{3164}\x{ffa0}\x{fe00}-\x{fe0f}\x{e0100}-\x{e01ef}]')`,message="displayName must be one line without control or invisible characters, fillers and spaces that do not break among them, and without spaces at its ends: write letters that show, and plain spaces"
	DisplayName string `json:"displayName,omitempty"`

	// hosts that the connection reaches, on port 443 over TLS: lower-case DNS names
	// such as "api.github.com". "*.example.com" stands for the names directly or
	// further below example.com and not for example.com itself. 1 to 32 entries.
	// +required
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=32
	Hosts []Host `json:"hosts"`

	// authentication is what the egress gateway adds to each request.
	// +required
	Authentication Authentication `json:"authentication"`

	// allowedMethods are the HTTP methods that agents may use. Absent: all of them.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=7
	AllowedMethods []Method `json:"allowedMethods,omitempty"`

	// allowedPaths are the URL paths that agents may use, case-sensitive: "/v1/user"
	// is that path alone, "/v1/repos/*" every path below /v1/repos/. At most 64 entries.
	// Absent: all of them.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	AllowedPaths []PathRule `json:"allowedPaths,omitempty"`
}

// Host is a lower-case DNS name outside the cluster, or "*." before one.
//
// +kubebuilder:validation:MinLength=3
// +kubebuilder:validation:MaxLength=253
// +kubebuilder:validation:XValidation:rule=`self.matches(r'^(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$')`,message="hosts takes lower-case DNS names such as api.example.com, or *.example.com for all names below one: leave out the scheme, port and path; an IP address, a lone '*' and a '*' elsewhere are refused"
// +kubebuilder:validation:XValidation:rule=`!self.matches(r'\.(localhost|svc|cluster\.local)$')`,message="hosts takes names outside the cluster: a connection does not reach Services and localhost; for tools in the cluster use an MCPServer with serviceRef"
type Host string

// Method is an HTTP method.
//
// +kubebuilder:validation:Enum=GET;HEAD;POST;PUT;PATCH;DELETE;OPTIONS
type Method string

// PathRule is a URL path, or all paths below one.
//
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=512
// +kubebuilder:validation:XValidation:rule=`self.matches(r'^/([A-Za-z0-9._~!$&()+,;=:@-]+/)*([A-Za-z0-9._~!$&()+,;=:@-]+|\*)?$')`,message="allowedPaths takes paths that begin with '/' and hold no query, fragment, '%' or empty segment; '*' may only be the last segment, as in /v1/repos/*"
// +kubebuilder:validation:XValidation:rule=`!self.matches(r'/\.\.?(/|$)')`,message="allowedPaths takes no '.' and '..' segments: write the path that is meant"
type PathRule string

// ConnectionStatus is what the operator found. Its condition is Ready.
type ConnectionStatus struct {
	CommonStatus `json:",inline"`

	// secretHash changes when the values in the Secret change. It is a keyed hash:
	// nothing about the values can be learned from it.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	SecretHash string `json:"secretHash,omitempty"`
}

// ConnectionList is a list of connections.
//
// +kubebuilder:object:root=true
type ConnectionList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitzero"`
	Items           []Connection `json:"items"`
}

// Common gives the part of the status that all kinds share.
func (c *Connection) Common() *CommonStatus { return &c.Status.CommonStatus }

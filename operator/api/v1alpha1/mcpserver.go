package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// R51. A server in the cluster is named by serviceRef, never by a URL: a URL could
// name a Service of another tenant.

// MCPServer is a set of tools, served by the Model Context Protocol, that a
// tenant's people and agents may call.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=mcpservers,singular=mcpserver,scope=Namespaced,shortName=mcp,categories=kora
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=='Ready')].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=='Ready')].reason`
// +kubebuilder:printcolumn:name="Transport",type=string,JSONPath=`.spec.transport`
// +kubebuilder:printcolumn:name="URL",type=string,JSONPath=`.spec.url`
// +kubebuilder:printcolumn:name="Service",type=string,JSONPath=`.spec.serviceRef.name`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule=`self.metadata.name.matches(r'^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 50`,fieldPath=".metadata",message="metadata.name must be a DNS label of at most 50 characters (lower-case letters, digits and '-'), so that the names made of it fit: choose a shorter or plainer name"
type MCPServer struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec is what the server should be.
	// +required
	Spec MCPServerSpec `json:"spec"`
	// status is what the operator found.
	// +optional
	Status MCPServerStatus `json:"status,omitzero"`
}

// MCPServerSpec is what a server should be.
//
// +kubebuilder:validation:XValidation:rule=`has(self.url) != has(self.serviceRef)`,message="exactly one of url and serviceRef is required: url for a server outside the cluster, serviceRef for a Service of this namespace"
// +kubebuilder:validation:XValidation:rule=`!has(self.connectionRef) || has(self.url)`,fieldPath=".connectionRef",reason=FieldValueForbidden,message="connectionRef is only for url: a Service of this namespace is reached without a Connection; remove it"
type MCPServerSpec struct {
	// url of a server outside the cluster, such as "https://mcp.example.com/v1".
	// https, without user and fragment; at most 512 characters. Exactly one of url and
	// serviceRef.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:XValidation:rule=`self.matches(r'^https://([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?(:[1-9][0-9]{0,4})?(/[A-Za-z0-9._~!$&()*+,;=:@%/-]*)?(\?[A-Za-z0-9._~!$&()*+,;=:@%/?-]*)?$')`,message="url must be an https URL with a DNS name as its host and without user and fragment, such as https://mcp.example.com/v1; for a Service of this namespace use serviceRef"
	// +kubebuilder:validation:XValidation:rule=`!self.matches(r'^https://[^/:?]*\.(localhost|svc|cluster\.local)([/:?]|$)')`,message="url must be outside the cluster: for a Service of this namespace use serviceRef"
	URL string `json:"url,omitempty"`

	// serviceRef names a Service of the same namespace. Exactly one of url and
	// serviceRef.
	// +optional
	ServiceRef *ServiceReference `json:"serviceRef,omitempty"`

	// transport that the server speaks.
	// +optional
	// +default="streamable-http"
	Transport Transport `json:"transport,omitempty"`

	// connectionRef names the Connection, in the same namespace, that adds the
	// credentials. Its hosts must admit the url's host. Absent: no credentials.
	// +optional
	ConnectionRef *LocalReference `json:"connectionRef,omitempty"`

	// tools that may be called. Absent: all that the server offers.
	// +optional
	Tools *ToolFilter `json:"tools,omitempty"`
}

// ServiceReference names a Service of the same namespace.
type ServiceReference struct {
	// name of the Service, such as "jira-tools".
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:XValidation:rule=`self.matches(r'^[a-z]([-a-z0-9]*[a-z0-9])?$')`,message="name must be a Service's name without its namespace: lower-case letters, digits and '-', with a letter first"
	Name string `json:"name"`

	// port of the Service, 1 to 65535. The mesh encrypts what goes there.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	Port int32 `json:"port"`

	// path that the server answers at, such as "/mcp". At most 256 characters.
	// Absent: "/".
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	// +kubebuilder:validation:XValidation:rule=`self.matches(r'^/[A-Za-z0-9._~!$&()*+,;=:@%/-]*$')`,message="path must begin with '/' and hold no query and fragment, such as /mcp"
	Path string `json:"path,omitempty"`
}

// Transport is how MCP messages travel.
//
// +kubebuilder:validation:Enum=streamable-http;sse
type Transport string

// The values of spec.transport.
const (
	TransportStreamableHTTP Transport = "streamable-http"
	TransportSSE            Transport = "sse"
)

// ToolFilter says which of a server's tools may be called.
//
// +kubebuilder:validation:MinProperties=1
// +kubebuilder:validation:XValidation:rule=`!has(self.allow) || !has(self.deny) || self.allow.all(t, !(t in self.deny))`,message="tools: a name stands in allow and in deny: keep it in one of them"
type ToolFilter struct {
	// allow lists the tools that may be called; all others may not. At most 128.
	// Absent: all but the denied ones.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=128
	Allow []ToolName `json:"allow,omitempty"`

	// deny lists tools that may not be called. At most 128.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=128
	Deny []ToolName `json:"deny,omitempty"`
}

// ToolName is the name of a tool, as its server gives it.
//
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=128
// +kubebuilder:validation:XValidation:rule=`self.matches(r'^[A-Za-z0-9._/-]+$')`,message="tools takes names as the server gives them, of letters, digits and '_', '-', '.', '/': patterns are not read, list each tool"
type ToolName string

// MCPServerStatus is what the operator found. Its condition is Ready.
type MCPServerStatus struct {
	CommonStatus `json:",inline"`
}

// MCPServerList is a list of servers.
//
// +kubebuilder:object:root=true
type MCPServerList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitzero"`
	Items           []MCPServer `json:"items"`
}

// Common gives the part of the status that all kinds share.
func (s *MCPServer) Common() *CommonStatus { return &s.Status.CommonStatus }

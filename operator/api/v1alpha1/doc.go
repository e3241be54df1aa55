// Package v1alpha1 holds kora's custom resources, group runkora.io (R19):
//
//	KoraTenant     a team: its namespace, sign-in, CA and policy (R50)
//	Connection     an external service that agents reach without its credentials (R51)
//	OAuthClient    an application that signs people in with kora (R51)
//	MCPServer      a set of tools (R51)
//	ModelProvider  an upstream of the inference service (R51)
//	SandboxImage   an image that environments may choose (R52, R53)
//
// KoraTenant is a resource of the cluster; all others live in a tenant's
// namespace. The doc comments of the fields are what `kubectl explain` prints.
//
// The rules that need one object alone are in the schema, as CEL with a message
// that names the field, the rule and the way out. What needs more than that (two
// tenants with one domain, a Secret without the key) is the operator's to report,
// in its webhook (R54) or on the status. A reference names no namespace: what it
// refers to lives beside the object, and for a KoraTenant in the system namespace.
//
// zz_generated.deepcopy.go and charts/kora-crds/templates are generated from
// here: go -C tools/generate run .
//
// +kubebuilder:object:generate=true
// +groupName=runkora.io
package v1alpha1

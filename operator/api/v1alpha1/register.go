package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Group and Version are kora's in the API.
const (
	Group   = "runkora.io"
	Version = "v1alpha1"
)

// GroupVersion is what apiVersion says: runkora.io/v1alpha1.
var GroupVersion = schema.GroupVersion{Group: Group, Version: Version}

// Resource gives the qualified name of a resource: Resource("connections").
func Resource(plural string) schema.GroupResource {
	return schema.GroupResource{Group: Group, Resource: plural}
}

// AddToScheme makes a scheme know every kind of this package.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion,
		&KoraTenant{}, &KoraTenantList{},
		&Connection{}, &ConnectionList{},
		&OAuthClient{}, &OAuthClientList{},
		&MCPServer{}, &MCPServerList{},
		&ModelProvider{}, &ModelProviderList{},
		&SandboxImage{}, &SandboxImageList{},
	)
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}

package rules

import "github.com/runkora/kora/operator/api/v1alpha1"

// Blank is an empty object of one of kora's kinds, nil for any other.
func Blank(kind string) v1alpha1.Object {
	switch kind {
	case "KoraTenant":
		return &v1alpha1.KoraTenant{}
	case "Connection":
		return &v1alpha1.Connection{}
	case "OAuthClient":
		return &v1alpha1.OAuthClient{}
	case "MCPServer":
		return &v1alpha1.MCPServer{}
	case "ModelProvider":
		return &v1alpha1.ModelProvider{}
	case "SandboxImage":
		return &v1alpha1.SandboxImage{}
	}
	return nil
}

// Spec is what somebody wrote of an object, as it is stored; nil of none of kora's kinds.
func Spec(o v1alpha1.Object) any {
	switch o := o.(type) {
	case *v1alpha1.KoraTenant:
		return o.Spec
	case *v1alpha1.Connection:
		return o.Spec
	case *v1alpha1.OAuthClient:
		return o.Spec
	case *v1alpha1.MCPServer:
		return o.Spec
	case *v1alpha1.ModelProvider:
		return o.Spec
	case *v1alpha1.SandboxImage:
		return o.Spec
	}
	return nil
}

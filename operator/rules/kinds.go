package rules

import (
	"fmt"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// kind is one of kora's kinds.
type kind struct {
	name  string
	blank func() v1alpha1.Object
	parts func(v1alpha1.Object) (spec, status any, is bool) // false: it is of another kind
}

// kinds is the one table of them.
var kinds = []kind{
	row("KoraTenant", func(o *v1alpha1.KoraTenant) (any, any) { return o.Spec, o.Status }),
	row("Connection", func(o *v1alpha1.Connection) (any, any) { return o.Spec, o.Status }),
	row("OAuthClient", func(o *v1alpha1.OAuthClient) (any, any) { return o.Spec, o.Status }),
	row("MCPServer", func(o *v1alpha1.MCPServer) (any, any) { return o.Spec, o.Status }),
	row("ModelProvider", func(o *v1alpha1.ModelProvider) (any, any) { return o.Spec, o.Status }),
	row("SandboxImage", func(o *v1alpha1.SandboxImage) (any, any) { return o.Spec, o.Status }),
}

func row[T any, P interface {
	*T
	v1alpha1.Object
}](name string, parts func(P) (spec, status any)) kind {
	return kind{name, func() v1alpha1.Object { return P(new(T)) }, func(o v1alpha1.Object) (any, any, bool) {
		p, is := o.(P)
		if !is {
			return nil, nil, false
		}
		spec, status := parts(p)
		return spec, status, true
	}}
}

// Blank is an empty object of one of kora's kinds, nil for any other.
func Blank(name string) v1alpha1.Object {
	for _, k := range kinds {
		if k.name == name {
			return k.blank()
		}
	}
	return nil
}

// KindOf is the name of an object's kind, which a typed object read by a client lacks;
// that of its Go type for none of kora's.
func KindOf(o v1alpha1.Object) string {
	for _, k := range kinds {
		if _, _, is := k.parts(o); is {
			return k.name
		}
	}
	return fmt.Sprintf("%T", o)
}

// Spec is what somebody wrote of an object, as it is stored; nil of none of kora's kinds.
func Spec(o v1alpha1.Object) any {
	spec, _ := parts(o)
	return spec
}

// Status is the whole status of an object; nil of none of kora's kinds.
func Status(o v1alpha1.Object) any {
	_, status := parts(o)
	return status
}

func parts(o v1alpha1.Object) (spec, status any) {
	for _, k := range kinds {
		if spec, status, is := k.parts(o); is {
			return spec, status
		}
	}
	return nil, nil
}

// Registered are blank objects of the kinds that are gathered into registries (R51).
func Registered() []v1alpha1.Object {
	return []v1alpha1.Object{&v1alpha1.Connection{}, &v1alpha1.OAuthClient{}, &v1alpha1.MCPServer{}, &v1alpha1.ModelProvider{}}
}

// OfTenants are blank objects of all kinds that a tenant's people make.
func OfTenants() []v1alpha1.Object { return append(Registered(), &v1alpha1.SandboxImage{}) }

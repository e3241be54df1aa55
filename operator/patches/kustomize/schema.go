package kustomize

import (
	"sync"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/kustomize/kyaml/openapi"

	"github.com/runkora/kora/internal/fields"
)

// Kind ties a Kubernetes kind to the fields of its Go type.
type Kind struct {
	Group, Version, Kind string
	Type                 *fields.Type
}

var once sync.Once

// Use tells kustomize how the lists of these kinds merge. Its merge reads one
// schema for the whole process; by itself it would parse that of every
// Kubernetes kind (60 ms) and know none of the fields that came after 1.21.
// The first call counts, and every caller passes the same kinds.
func Use(kinds []Kind) {
	once.Do(func() {
		openapi.SuppressBuiltInSchemaUse()
		openapi.AddDefinitions(Definitions(kinds))
	})
}

// Definitions are the kinds' fields as OpenAPI says them: shapes, and how
// lists merge. Scalars and texts do not matter to a merge and are left out.
func Definitions(kinds []Kind) spec.Definitions {
	out, w := spec.Definitions{}, writer{}
	for _, k := range kinds {
		s := w.schema(k.Type)
		s.Extensions = spec.Extensions{"x-kubernetes-group-version-kind": []any{
			map[string]any{"group": k.Group, "version": k.Version, "kind": k.Kind},
		}}
		out[k.Kind] = s
	}
	return out
}

// writer keeps the schemas it wrote: both kinds with pods share theirs.
type writer map[*fields.Type]spec.Schema

func (w writer) schema(t *fields.Type) spec.Schema {
	s, done := w[t]
	if done {
		return s
	}
	defer func() { w[t] = s }()
	switch t.Kind {
	case fields.Object:
		s.Type = spec.StringOrArray{"object"}
		s.Properties = make(map[string]spec.Schema, len(t.Fields))
		for _, f := range t.Fields {
			s.Properties[f.Name] = w.property(f)
		}
	case fields.Map:
		s.Type = spec.StringOrArray{"object"}
		elem := w.schema(t.Elem)
		s.AdditionalProperties = &spec.SchemaOrBool{Schema: &elem}
	case fields.List:
		s.Type = spec.StringOrArray{"array"}
		elem := w.schema(t.Elem)
		s.Items = &spec.SchemaOrArray{Schema: &elem}
	}
	return s
}

func (w writer) property(f *fields.Field) spec.Schema {
	s := w.schema(f.Type)
	if f.Strategy == "" {
		return s
	}
	s.Extensions = spec.Extensions{"x-kubernetes-patch-strategy": f.Strategy}
	if len(f.Keys) > 0 {
		s.Extensions["x-kubernetes-patch-merge-key"] = f.Keys[0]
	}
	if len(f.Keys) > 1 {
		keys := make([]any, len(f.Keys))
		for i, k := range f.Keys {
			keys[i] = k
		}
		s.Extensions["x-kubernetes-list-map-keys"] = keys
	}
	return s
}

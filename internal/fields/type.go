package fields

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Kind is what a value may hold.
type Kind int

// The kinds that Kubernetes' types are made of.
const (
	Any Kind = iota
	Object
	Map
	List
	String
	Int
	Bool
	Float
	Quantity
	IntOrString
	Time
	Bytes
)

// Type describes a Go type. It is built once and never changed.
type Type struct {
	Name   string // the Go name, "PodSpec"
	Kind   Kind
	Fields []*Field // of an Object, in the order of the Go type
	Elem   *Type    // of a Map or a List
	Bits   int      // of an Int
	Values []string // of a String that takes only these

	byName map[string]*Field
}

// Field is one field of an Object.
type Field struct {
	Name     string
	Type     *Type
	Strategy string   // the patch strategy, "merge" or "merge,retainKeys"
	Keys     []string // the merge key, or the keys, of a list of objects

	byPlace   bool  // a list whose items stay in their places
	index     []int // of the Go field
	omitEmpty bool
	pointer   bool
}

// Field returns the field of that JSON name, nil where the type has none.
func (t *Type) Field(name string) *Field { return t.byName[name] }

// Names returns the JSON names of an Object's fields.
func (t *Type) Names() []string {
	out := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		out[i] = f.Name
	}
	return out
}

// memo keeps the types that were asked for, so that Pod and StatefulSet share
// their pods; it only ever saves work.
var memo = struct {
	sync.Mutex
	builder
}{builder: builder{map[reflect.Type]*Type{}}}

// Of returns the type of v, which may be a pointer to it.
func Of(v any) *Type {
	memo.Lock()
	defer memo.Unlock()
	return memo.build(reflect.TypeOf(v))
}

// builder holds the types built so far, so that a type which holds itself ends.
type builder struct{ seen map[reflect.Type]*Type }

func (b *builder) build(t reflect.Type) *Type {
	t = indirect(t)
	if done := b.seen[t]; done != nil {
		return done
	}
	out := &Type{Name: t.Name()}
	b.seen[t] = out
	if k, ok := special[t.PkgPath()+"."+t.Name()]; ok {
		out.Kind = k
		return out
	}
	b.shape(out, t)
	return out
}

func (b *builder) shape(out *Type, t reflect.Type) {
	switch t.Kind() {
	case reflect.Struct:
		out.Kind, out.byName = Object, map[string]*Field{}
		b.fields(out, t, nil)
	case reflect.Map:
		out.Kind, out.Elem = Map, b.build(t.Elem())
	case reflect.Slice, reflect.Array:
		out.Kind, out.Elem = List, b.build(t.Elem())
		if t.Elem().Kind() == reflect.Uint8 {
			out.Kind = Bytes
		}
	case reflect.String:
		out.Kind, out.Values = String, valuesOf(t)
	case reflect.Bool:
		out.Kind = Bool
	case reflect.Float32, reflect.Float64:
		out.Kind = Float
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		out.Kind, out.Bits = Int, t.Bits()
	}
}

// special are the types that marshal themselves.
var special = map[string]Kind{
	"k8s.io/apimachinery/pkg/api/resource.Quantity":   Quantity,
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString": IntOrString,
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":       Time,
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":  Time,
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":   Any,
	"k8s.io/apimachinery/pkg/runtime.RawExtension":    Any,

	// Schemas in definitions, where one of two forms stands.
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON":                         Any,
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrArray":       Any,
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrBool":        Any,
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrStringArray": Any,
}

func (b *builder) fields(out *Type, t reflect.Type, index []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		at := append(slices.Clone(index), i)
		switch {
		case name == "-" || !f.IsExported():
		case name == "" && (f.Anonymous || strings.Contains(options, "inline")):
			b.fields(out, indirect(f.Type), at)
		default:
			out.add(b.field(out, f, cmp.Or(name, f.Name), options, at))
		}
	}
}

func (t *Type) add(f *Field) {
	t.Fields = append(t.Fields, f)
	t.byName[f.Name] = f
}

func (b *builder) field(owner *Type, f reflect.StructField, name, options string, at []int) *Field {
	out := &Field{Name: name, Type: b.build(f.Type), Strategy: f.Tag.Get("patchStrategy"), index: at}
	out.omitEmpty = strings.Contains(options, "omitempty")
	out.pointer = f.Type.Kind() == reflect.Pointer
	out.byPlace = owner.Name == "StatefulSetSpec" && name == "volumeClaimTemplates" // one of them, always
	if keys := severalKeys[owner.Name+"."+name]; keys != nil {
		out.Keys = keys
	} else if key := f.Tag.Get("patchMergeKey"); key != "" {
		out.Keys = []string{key}
	}
	return out
}

// severalKeys are the lists whose items only several keys together tell apart.
// The Go tags name the first one alone; kustomize goes by the API's list-map-keys.
var severalKeys = map[string][]string{
	"Container.ports":                   {"containerPort", "protocol"},
	"EphemeralContainerCommon.ports":    {"containerPort", "protocol"},
	"ServiceSpec.ports":                 {"port", "protocol"},
	"PodSpec.topologySpreadConstraints": {"topologyKey", "whenUnsatisfiable"},
}

func indirect(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

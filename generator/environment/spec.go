package environment

import (
	"reflect"
	"strings"
	"sync"
)

// spec is one field of the environment as its Go type and tags describe it: the
// check, the defaults and the schema walk it.
type spec struct {
	key      string
	about    string
	required bool
	kind     reflect.Kind // String, Bool, Int64, Slice, Map or Struct
	form     string       // of a text, or of the items of a list of texts
	standard string       // the default as the tag has it
	fields   []spec       // of a Struct
	item     reflect.Type // of a Slice or a Map whose items are objects
}

// filled is true of a text that may not be empty: one that is required, or that
// would hide a default (R38, R39).
func (s spec) filled() bool { return s.required || s.standard != "" }

// specs is made by the first file that is read.
var specs = sync.OnceValue(func() []spec { return specsOf(reflect.TypeFor[Environment]()) })

func specsOf(t reflect.Type) []spec {
	out := make([]spec, t.NumField())
	for i := range out {
		f := t.Field(i)
		out[i] = spec{
			key: f.Tag.Get("json"), about: f.Tag.Get("about"), required: f.Tag.Get("required") == "true",
			kind: f.Type.Kind(), form: f.Tag.Get("form"), standard: f.Tag.Get("default"),
		}
		switch {
		case f.Type.Kind() == reflect.Struct:
			out[i].fields = specsOf(f.Type)
		case f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct:
			out[i].item = f.Type.Elem()
		}
	}
	return out
}

// value is the default of a field in YAML's plain terms.
func (s spec) value() any {
	switch s.kind {
	case reflect.Struct:
		return values(s.fields)
	case reflect.Map:
		return map[string]any{}
	case reflect.Slice:
		list := []any{}
		if s.standard != "" {
			for item := range strings.SplitSeq(s.standard, ",") {
				list = append(list, item)
			}
		}
		return list
	case reflect.Bool:
		return s.standard == "true"
	case reflect.Int64:
		return number(s.standard)
	}
	return s.standard
}

func values(all []spec) map[string]any {
	out := map[string]any{}
	for _, s := range all {
		if !s.required {
			out[s.key] = s.value()
		}
	}
	return out
}

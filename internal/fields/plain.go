package fields

import (
	"encoding/base64"
	"encoding/json"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Plain returns a typed object as the maps and lists that its JSON has: whole
// numbers as int64, and without what says nothing, such as a null or an empty
// struct that is no pointer. It does what apimachinery's converter does; that
// one copies its cache for every field it meets first, which takes longer
// than all the rest of a preview.
func Plain(v any) map[string]any {
	out, _ := plain(reflect.ValueOf(v), Of(v)).(map[string]any)
	return out
}

func plain(v reflect.Value, t *Type) any {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	switch t.Kind {
	case Object:
		return object(v, t)
	case Map:
		return mapping(v, t)
	case List:
		return list(v, t)
	case String:
		return v.String()
	case Bool:
		return v.Bool()
	case Int:
		return integer(v)
	case Float:
		return v.Float()
	}
	return marshaled(v)
}

func object(v reflect.Value, t *Type) any {
	out := make(map[string]any, len(t.Fields))
	for _, f := range t.Fields {
		field := v.FieldByIndex(f.index)
		if f.omitEmpty && (empty(field) || f.Type.Kind != Object && field.IsZero()) {
			continue
		}
		value := plain(field, f.Type)
		if m, ok := value.(map[string]any); value == nil || ok && len(m) == 0 && !f.pointer {
			continue
		}
		out[f.Name] = value
	}
	return out
}

// empty is encoding/json's own rule, which leaves out no struct. The caller
// leaves out a quantity or a port that is not set, as was meant.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

func mapping(v reflect.Value, t *Type) any {
	if v.IsNil() {
		return nil
	}
	out := make(map[string]any, v.Len())
	for it := v.MapRange(); it.Next(); {
		out[it.Key().String()] = plain(it.Value(), t.Elem)
	}
	return out
}

func list(v reflect.Value, t *Type) any {
	if v.IsNil() {
		return nil
	}
	out := make([]any, v.Len())
	for i := range out {
		out[i] = plain(v.Index(i), t.Elem)
	}
	return out
}

func integer(v reflect.Value) any {
	if v.CanInt() {
		return v.Int()
	}
	return int64(v.Uint())
}

// marshaled writes the types that write themselves.
func marshaled(v reflect.Value) any {
	switch v := v.Interface().(type) {
	case resource.Quantity:
		return v.String()
	case intstr.IntOrString:
		if v.Type == intstr.Int {
			return int64(v.IntVal)
		}
		return v.StrVal
	case metav1.Time:
		return timeText(v.Time, time.RFC3339)
	case metav1.MicroTime:
		return timeText(v.Time, metav1.RFC3339Micro)
	case []byte:
		return base64.StdEncoding.EncodeToString(v)
	}
	return throughJSON(v.Interface())
}

func timeText(t time.Time, layout string) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(layout)
}

func throughJSON(v any) any {
	var out any
	if b, err := json.Marshal(v); err != nil || json.Unmarshal(b, &out) != nil {
		return nil
	}
	return out
}

package environment

import (
	"bytes"
	"encoding/json"
	"reflect"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/fields"
)

// Schema is the JSON Schema of an environment file, for editors: made from the
// type that Read checks by (R38).
func Schema() []byte {
	root := object(specs())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "kora environment"
	root["description"] = "The facts of one cluster, for kora generate and for the reference Helmfile."
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(root); err != nil {
		panic("environment: the schema is made of maps and texts: " + err.Error())
	}
	return b.Bytes()
}

func object(all []spec) map[string]any {
	properties, required := map[string]any{}, []string(nil)
	for _, s := range all {
		property := s.schema()
		property["description"] = s.about
		if s.required {
			required = append(required, s.key)
		} else if s.kind != reflect.Struct {
			property["default"] = s.value()
		}
		properties[s.key] = property
	}
	out := map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	if required != nil {
		out["required"] = required
	}
	return out
}

func (s spec) schema() map[string]any {
	switch {
	case s.kind == reflect.Struct:
		return object(s.fields)
	case s.item == reflect.TypeFor[corev1.Toleration]():
		return map[string]any{"type": "array", "items": tolerated(typed(fields.Of(corev1.Toleration{})))}
	case s.kind == reflect.Slice:
		return map[string]any{"type": "array", "items": forms()[s.form].schema(false)}
	case s.kind == reflect.Map:
		return map[string]any{"type": "object", "propertyNames": forms()[labelKey].schema(false), "additionalProperties": forms()[labelValue].schema(true)}
	case s.kind == reflect.Bool:
		return map[string]any{"type": "boolean"}
	case s.kind == reflect.Int64:
		return map[string]any{"type": "integer", "minimum": -1, "maximum": mostNumber}
	}
	return forms()[s.form].schema(!s.filled())
}

func (f form) schema(optional bool) map[string]any {
	out := map[string]any{"type": "string"}
	switch {
	case f.values != nil && optional:
		out["enum"] = append([]string{""}, f.values...)
	case f.values != nil:
		out["enum"] = f.values
	case optional:
		out["pattern"] = "^(?:" + f.pattern + ")?$"
	default:
		out["pattern"] = "^(?:" + f.pattern + ")$"
	}
	if f.never != "" {
		out["not"] = map[string]any{"pattern": f.never}
	}
	if f.values == nil {
		out["maxLength"] = f.most
	}
	return out
}

// typed is a Kubernetes type whose fields are texts and numbers.
func typed(t *fields.Type) map[string]any {
	properties := map[string]any{}
	for _, f := range t.Fields {
		property := map[string]any{"type": "string"}
		if f.Type.Kind == fields.Int {
			property = map[string]any{"type": "integer", "minimum": -mostNumber, "maximum": mostNumber}
		} else if f.Type.Values != nil {
			property["enum"] = f.Type.Values
		}
		properties[f.Name] = property
	}
	return map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
}

// mostNumber is the greatest of mostDigits.
const mostNumber = 999_999_999_999_999

// tolerated adds what the fields of a toleration demand of each other.
func tolerated(schema map[string]any) map[string]any {
	properties := schema["properties"].(map[string]any)
	properties["key"], properties["value"] = forms()[labelKey].schema(true), forms()[labelValue].schema(true)
	is := func(key, value string) map[string]any {
		return map[string]any{"required": []string{key}, "properties": map[string]any{key: map[string]any{"const": value}}}
	}
	given := func(key string) map[string]any {
		return map[string]any{"required": []string{key}, "properties": map[string]any{key: map[string]any{"minLength": 1}}}
	}
	schema["anyOf"] = []any{given("key"), is("operator", "Exists")}
	schema["not"] = map[string]any{"allOf": []any{given("value"), is("operator", "Exists")}}
	schema["if"], schema["then"] = map[string]any{"required": []string{"tolerationSeconds"}}, is("effect", "NoExecute")
	return schema
}

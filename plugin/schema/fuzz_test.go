package schema

import (
	"testing"

	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/values"
)

// R20: no schema and no values bring the check down, what it says is the same in
// every run, and each fault has a place or a path, a message and a way out.
func FuzzCheck(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"type": "object", "properties": {"a": {"type": "string", "pattern": "^b+$", "patternErrorMessage": "not b, such as b"}}, "additionalProperties": false}`, "a: on\nb: 1"},
		{`{"properties": {"a": {"type": "object", "required": ["b"], "properties": {"b": {"examples": [1]}}}}}`, "a: {c: 1}\nd:\n"},
		{`{"properties": {"a": {"anyOf": [{"type": "string"}, {"required": ["b"]}]}}}`, "a: {c: 1}"},
		{`{"properties": {"a": {"oneOf": [{"minimum": 1}, {"not": {"const": 2}}]}}, "if": true, "then": {"required": ["b"]}}`, "a: 2"},
		{`{"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"items": {"uniqueItems": true}}}, "$ref": "#/$defs/a"}`, "- [1, 1]"},
		{`{"patternProperties": {"^a": {"propertyNames": {"maxLength": 1}}}, "unevaluatedProperties": false}`, "ab: {cd: 1}\nb: 2"},
		{`{"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"a": false}, "$schema": "http://json-schema.org/draft-07/schema#"}`, "a: 1"},
		{`{"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"1": {"items": [{"enum": [1e400]}], "additionalItems": false}}}`, "\"1\": [1, .inf]"},
		{`{"$ref": "#/properties/%zz", "required": "a"}`, "a: ~"}, {`[]`, ""}, {`{"$dynamicRef": "#a", "$dynamicAnchor": "a"}`, "a: 1"},
		{`{"$id": "x", "$defs": {"y": {"$id": "y", "$anchor": "z"}}, "$ref": "y#z"}`, "{}"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, text, given string) {
		if len(text) > 5_000 || len(given) > 5_000 {
			return // too long to be quick
		}
		tree, _ := values.Read(source.NewFile("v.yaml", given))
		found := Check(tree, []byte(text))
		if again := Check(tree, []byte(text)); show(again) != show(found) {
			t.Errorf("once\n%s\nand again\n%s", show(found), show(again))
		}
		for _, each := range found {
			if each.Message == "" || each.Fix == "" || each.Code == "" {
				t.Errorf("incomplete: %+v", each)
			}
		}
	})
}

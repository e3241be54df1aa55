package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// R20: whatever a schema demands, a fault says where, what was found to be wrong,
// what is expected and what to do; of forms that exclude each other it tells of the
// one that was meant.
func TestEveryKindOfFaultIsSaid(t *testing.T) {
	for name, c := range map[string]struct{ schema, text, want string }{
		"type":             {`{"properties": {"a": {"type": ["integer", "null"]}}}`, "a: x", `KORA-F002 1:4 a: the value is of the wrong type; nothing or a whole number; write nothing or a whole number`},
		"enum":             {`{"properties": {"a": {"enum": ["json", "", 3]}}}`, "a: jsn", `KORA-V102 1:4 a: not one of the values that there are; json, "" or 3; did you mean "json"?`},
		"const":            {`{"properties": {"a": {"const": 1}}}`, "a: 2", `KORA-V102 1:4 a: not the value that there is; 1; write 1`},
		"pattern":          {`{"properties": {"a": {"pattern": "^b$"}}}`, "a: c", `KORA-V102 1:4 a: "c" does not have the form that is wanted; a text that matches ^b$; write a text that matches ^b$`},
		"pattern in words": {`{"properties": {"a": {"pattern": "^b$", "patternErrorMessage": "not a b, such as b"}}}`, "a: c", `KORA-V102 1:4 a: "c" is not a b, such as b; a value such as b; write a value such as b`},
		"minimum":          {`{"properties": {"a": {"type": "integer", "minimum": 2}}}`, "a: 1", `KORA-V102 1:4 a: the number is out of range; a whole number of 2 or more; write a whole number of 2 or more`},
		"maximum":          {`{"properties": {"a": {"maximum": 2.5}}}`, "a: 3", `KORA-V102 1:4 a: the number is out of range; a number of 2.5 or less; write a number of 2.5 or less`},
		"above":            {`{"properties": {"a": {"exclusiveMinimum": 0}}}`, "a: 0", `KORA-V102 1:4 a: the number is out of range; a number above 0; write a number above 0`},
		"step":             {`{"properties": {"a": {"multipleOf": 5}}}`, "a: 7", `KORA-V102 1:4 a: the number is out of step; a multiple of 5; write a multiple of 5`},
		"lengths":          {`{"properties": {"a": {"minLength": 2}, "b": {"maxLength": 1}}}`, "a: x\nb: yz", "KORA-V102 1:4 a: the text is too short; at least 2 characters; write at least 2 characters\nKORA-V102 2:4 b: the text is too long; at most 1 character; write at most 1 character"},
		"items":            {`{"properties": {"a": {"minItems": 2}, "b": {"maxItems": 1}}}`, "a: [1]\nb: [1, 2]", "KORA-V102 1:4 a: the list is too short; at least 2 items; write at least 2 items\nKORA-V102 2:4 b: the list is too long; at most 1 item; write at most 1 item"},
		"item":             {`{"properties": {"a": {"items": {"type": "integer"}}}}`, "a: [1, x]", `KORA-F002 1:8 a[1]: the value is of the wrong type; a whole number; write a whole number`},
		"unique":           {`{"properties": {"a": {"uniqueItems": true}}}`, "a: [x, v, x]", `KORA-V102 1:11 a[2]: the item is in the list twice; each item once; remove one of the two`},
		"contains":         {`{"properties": {"a": {"contains": {"enum": ["x", "y"]}}}}`, "a: [z]", `KORA-V102 1:4 a: the list does not hold what it must; x or y among the items; write x or y among the items`},
		"keys":             {`{"properties": {"a": {"minProperties": 1}, "b": {"maxProperties": 1}}}`, "a: {}\nb: {c: 1, d: 2}", "KORA-V102 1:4 a: the map has too few keys; at least 1 key; write at least 1 key\nKORA-V102 2:4 b: the map has too many keys; at most 1 key; write at most 1 key"},
		"name of a key":    {`{"properties": {"a": {"propertyNames": {"pattern": "^[a-z]+$"}}, "b": {"properties": {"c": {"properties": {"d": {}}}}}}}`, "b: {c: {d: 1}}\na:\n  ok: 1\n  Not: 2", `KORA-V102 4:3 a.Not: "Not" does not have the form that is wanted; a text that matches ^[a-z]+$; rename the key`},
		"unknown":          {`{"properties": {"port": {}}, "additionalProperties": false}`, "prot: 1", `KORA-F001 1:1 prot: unknown field "prot"; one of port; did you mean "port"?`},
		"unknown of none":  {`{"properties": {"a": {"additionalProperties": false}}}`, "a: {b: 1}", `KORA-F001 1:5 a.b: unknown field "b"; no keys; remove it`},
		"misplaced":        {`{"properties": {"a": {"properties": {"deep": {}}}}, "additionalProperties": false}`, "deep: 1", `KORA-F001 1:1 deep: unknown field "deep"; one of a; it belongs to another place: a.deep`},
		"required":         {`{"properties": {"a": {"required": ["b"], "properties": {"b": {"examples": [7]}}}}}`, "a: {c: 1}", `KORA-V101 1:1 a.b: a.b is required; ; add b: 7 under a, or give --set a.b=7`},
		"required below":   {`{"required": ["a"], "properties": {"a": {"required": ["b", "c"]}}}`, "d: 1", "KORA-V101 1:1 a.b: a.b is required; ; add b: … under a, or give --set a.b=…\nKORA-V101 1:1 a.c: a.c is required; ; add c: … under a, or give --set a.c=…"},
		"required typo":    {`{"required": ["port"], "properties": {"port": {}}, "additionalProperties": false}`, "prot: 1", `KORA-F001 1:1 prot: unknown field "prot"; one of port; did you mean "port"?`},
		"required beside":  {`{"dependentRequired": {"a": ["b"]}}`, "a: 1", `KORA-V101 1:1 b: b is required; ; add b: …, or give --set b=…`},
		"nothing here":     {`{"properties": {"a": false}}`, "a: 1", `KORA-V102 1:4 a: nothing may stand here; no value; remove it`},
		"not":              {`{"properties": {"a": {"not": {"const": "x"}}}}`, "a: x", `KORA-V102 1:4 a: a value that is kept out; any other value; write another value`},
		"if then":          {`{"if": {"properties": {"live": {"const": true}}, "required": ["live"]}, "then": {"properties": {"port": {"type": "integer"}}}}`, "live: true\nport: x", `KORA-F002 2:7 port: the value is of the wrong type; a whole number; write a whole number`},
		"any of types":     {`{"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "array"}]}}}`, "a: 1", `KORA-F002 1:4 a: the value is of the wrong type; a text or a list; write a text or a list`},
		"any of by type":   {`{"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "object", "required": ["name"]}]}}}`, "a: {b: 1}", `KORA-V101 1:1 a.name: a.name is required; ; add name: … under a, or give --set a.name=…`},
		"any of nearest":   {`{"properties": {"a": {"anyOf": [{"required": ["x", "y"]}, {"properties": {"z": {"type": "integer"}}}]}}}`, "a: {z: q}", `KORA-F002 1:8 a.z: the value is of the wrong type; a whole number; write a whole number`},
		"any of values":    {`{"properties": {"a": {"anyOf": [{"enum": ["x"]}, {"enum": ["y"]}]}}}`, "a: z", `KORA-V102 1:4 a: not one of the values that there are; x or y; write x or y`},
		"one of none":      {`{"properties": {"a": {"oneOf": [{"type": "integer"}, {"pattern": "^b$"}]}}}`, "a: c", `KORA-V102 1:4 a: "c" does not have the form that is wanted; a text that matches ^b$; write a text that matches ^b$`},
		"one of both":      {`{"properties": {"a": {"oneOf": [{"type": "integer"}, {"minimum": 1}]}}}`, "a: 3", `KORA-V102 1:4 a: the value has several of the forms that there are; one form alone; write one form alone`},
		"by reference":     {`{"properties": {"a": {"$ref": "#/$defs/port"}}, "$defs": {"port": {"type": "integer", "maximum": 9}, "unused": {"type": "nonsense"}}}`, "a: 10", `KORA-V102 1:4 a: the number is out of range; a whole number of 9 or less; write a whole number of 9 or less`},
		"not a number":     {`{"properties": {"a": {"minimum": 1}}}`, "a: .nan", `KORA-V102 1:4 a: not a number that JSON has; a number; write a number`},
		"word for text":    {`{"properties": {"a": {"type": "string"}}}`, "a: off", `KORA-F003 1:4 a: the plain word off is a boolean to Helm and a text to other readers of YAML; a text in quotes; write "off"`},
		"two rules, one":   {`{"properties": {"a": {"minLength": 3, "pattern": "^b$"}}}`, "a: c", `KORA-V102 1:4 a: "c" does not have the form that is wanted; a text that matches ^b$; write a text that matches ^b$`},
	} {
		t.Run(name, func(t *testing.T) {
			for range 5 {
				got := show(Check(read(t, c.text), []byte(c.schema)))
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Fatalf("(-want +got):\n%s", diff)
				}
			}
		})
	}
}

package schema

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

// doubled is a schema whose references double in each of n steps.
func doubled(keyword string, n int, last string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{%s, "$defs": {`, keyword+`: {"$ref": "#/$defs/s0"}`)
	for i := range n {
		fmt.Fprintf(&b, `"s%d": {"anyOf": [{"$ref": "#/$defs/s%d"}, {"$ref": "#/$defs/s%d"}]}, `, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"s%d": %s}}`, n, last)
	return b.String()
}

// R20, security.md: a chart may bring any schema. One that reads files or
// addresses, that never ends, or that fills the memory is refused in its own words,
// and takes next to no time.
func TestHostileSchemasAreRefused(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.json")
	if err := os.WriteFile(secret, []byte(`{"type": "string"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ schema, reason string }{
		"no JSON":            {`{"a": `, "EOF"},
		"two documents":      {`{} {}`, "invalid character"},
		"a file":             {`{"properties": {"a": {"$ref": "file://` + secret + `"}}}`, "refers to nothing outside itself"},
		"a plain path":       {`{"properties": {"a": {"$ref": "` + secret + `"}}}`, "refers to itself"},
		"an address":         {`{"$ref": "http://127.0.0.1:1/a.json"}`, "refers to nothing outside itself"},
		"another base":       {`{"$id": "https://127.0.0.1:1/a.json", "$ref": "b.json"}`, "refers to nothing outside itself"},
		"its own language":   {`{"$schema": "https://127.0.0.1:1/meta.json"}`, "refers to nothing outside itself"},
		"a lost reference":   {`{"properties": {"a": {"$ref": "#/$defs/none"}}}`, "none"},
		"itself":             {`{"properties": {"a": {"$ref": "#"}}}`, "refers to itself"},
		"itself, at once":    {`{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}`, "refers to itself"},
		"a loop in depth":    {`{"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"anyOf": [{"items": {"$ref": "#/$defs/a"}}, {"items": {"$ref": "#/$defs/a"}}]}}}`, "refers to itself"},
		"doubled":            {doubled(`"not"`, 40, `{"const": 1}`), "more than a schema of values has"},
		"doubled in vain":    {doubled(`"if"`, 40, `false`), "more than a schema of values has"},
		"a number":           {`{"properties": {"a": {"minimum": 1e999999999}}}`, "out of bounds"},
		"a long number":      {`{"properties": {"a": {"minimum": ` + strings.Repeat("9", 1000) + `}}}`, "out of bounds"},
		"too deep":           {strings.Repeat(`{"not": `, 5000) + "{}" + strings.Repeat("}", 5000), "more than a schema of values has"},
		"too wide":           {`{"enum": [` + strings.Repeat("1,", 40_000) + `1]}`, "more than a schema of values has"},
		"too long":           {`{"description": "` + strings.Repeat("x", maxBytes) + `"}`, "bytes"},
		"a pattern":          {`{"properties": {"a": {"pattern": "("}}}`, "no JSON Schema at /properties/a"},
		"a large pattern":    {`{"properties": {"a": {"pattern": "((a{1000}){1000}){1000}"}}}`, "no JSON Schema at /properties/a"},
		"a type that is not": {`{"properties": {"a": {"type": "strin"}}}`, "no JSON Schema at /properties/a/type"},
		"a list":             {`[]`, "no JSON Schema"},
	} {
		t.Run(name, func(t *testing.T) {
			found := Check(read(t, "a: {b: 1}"), []byte(c.schema))
			if len(found) != 1 || found[0].Code != faults.BadSchema || !strings.Contains(found[0].Message, c.reason) || found[0].Fix == "" || found[0].File != "values.schema.json" {
				t.Errorf("%+v", found)
			}
			if strings.Contains(show(found), "\n") || len(found) > 0 && len(found[0].Message) > 300 {
				t.Errorf("not one short line: %q", show(found))
			}
		})
	}
}

// A schema that tries everything on large values is stopped, and says so.
func TestCostlySchemasAreStopped(t *testing.T) {
	var all strings.Builder
	for i := range 300 {
		fmt.Fprintf(&all, `{"items": {"maximum": %d}},`, 1_000_000+i)
	}
	schema := `{"properties": {"a": {"allOf": [` + strings.TrimSuffix(all.String(), ",") + `]}}}`
	found := Check(read(t, "a: ["+strings.Repeat("1, ", 60_000)+"1]"), []byte(schema))
	if len(found) != 1 || found[0].Code != faults.BadSchema {
		t.Errorf("%d faults: %.300s", len(found), show(found))
	}
}

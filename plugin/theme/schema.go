package theme

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// Schema returns theme.schema.json for a kora of the given version, in JSON
// Schema 2020-12, made from the same table that Parse walks (R37). Maps stay
// open: an entry that a version does not know is listed, never refused (R34).
func Schema(version string) []byte {
	root := document().schema(major(version))
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = fmt.Sprintf("kora theme, version %s", version)
	root["description"] = "theme.yaml, the white-labelling theme of kora: one YAML document of at most 64 KiB, without duplicate keys, anchors and aliases. Entries that this version does not know are ignored and listed."
	root["examples"] = []any{map[string]any{"koraVersion": version, "productName": "Northwind Agents"}}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(root); err != nil {
		panic("theme: the schema is made of maps and texts: " + err.Error())
	}
	return ascii7(b.String())
}

// ascii7 writes what is not ASCII as an escape of JSON: the characters that the
// schema refuses in a name show nothing, and one would read them as blanks.
func ascii7(text string) []byte {
	var b bytes.Buffer
	for _, r := range text {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		for _, u := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, u)
		}
	}
	return b.Bytes()
}

func (e entry) schema(major string) map[string]any {
	if e.form != nil {
		out := e.form.schema(major)
		out["description"] = e.about
		return out
	}
	properties, required := map[string]any{}, []string(nil)
	for _, f := range e.fields {
		properties[f.key] = f.schema(major)
		if f.required {
			required = append(required, f.key)
		}
	}
	out := map[string]any{"type": "object", "description": e.about, "properties": properties, "additionalProperties": true}
	if required != nil {
		out["required"] = required
	}
	if e.filled {
		out["minProperties"] = 1
	}
	return out
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/runkora/kora/charts"
)

// valueSchema is what the page reads of a part of values.schema.json.
type valueSchema struct {
	Ref         string `json:"$ref"`
	Description string
	Type        any
	Enum        []any
	Default     json.RawMessage
	Examples    []json.RawMessage
	Minimum     json.Number
	Maximum     json.Number
	Items       *valueSchema
	Properties  map[string]valueSchema
	Required    []string
	Defs        map[string]valueSchema `json:"$defs"`
}

const valuesIntro = `<!-- Made from charts/kora/values.schema.json by go run ./internal/docgen. Do not edit. -->

# Values of the chart kora

Every value, with its type, its default and an example. ` + "`kora validate -f kora.yaml`" + ` checks a file against all of them, to the line.

An editor with a YAML language server shows the same, and completes keys, when the first line of a values file names the schema:

` + "```yaml" + `
# yaml-language-server: $schema=values.schema.json
` + "```" + `

The schema is in the chart: ` + "`helm pull oci://ghcr.io/runkora/charts/kora --untar`" + ` puts it at ` + "`kora/values.schema.json`" + `. Write the path to it from your file.

Only ` + "`global.trustDomain`" + ` and ` + "`frontendHost`" + ` must be given. A key with nothing behind it takes its default away, which is a fault where the chart cannot do without.
`

// pattern is the service whose keys every service has.
const pattern = "policyService"

// valuesPage returns the reference of all values: a section a block, what every
// service has once, and the config modules last.
func valuesPage() []byte {
	root := chartSchema()
	var b bytes.Buffer
	b.WriteString(valuesIntro)
	common := root.Properties[pattern]
	for _, name := range blocks(root) {
		block := root.Properties[name]
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", name, plain(block.Description))
		skip := map[string]bool{}
		if isService(block) {
			fmt.Fprintf(&b, "\nBesides, it has what [every service](#every-service) has%s.\n", unlike(root, common, block))
			for key := range common.Properties {
				skip[key] = key != "configOverrides"
			}
		}
		rows := root.rows(name, block, skip)
		if len(block.Properties) == 0 {
			rows = []row{root.row(name, block)}
		}
		writeRows(&b, rows)
	}
	b.WriteString("\n## Every service\n\nThe keys that the block of each service has; the defaults are those of most.\n")
	writeRows(&b, root.rows("*service*", common, map[string]bool{"configOverrides": true}))
	writeModules(&b, root)
	return b.Bytes()
}

func chartSchema() valueSchema {
	files, err := charts.Open(charts.Kora)
	if err != nil {
		panic(err)
	}
	text, err := fs.ReadFile(files, "values.schema.json")
	if err != nil {
		panic(err)
	}
	var root valueSchema
	if err := json.Unmarshal(text, &root); err != nil {
		panic(err)
	}
	return root
}

// blocks are the keys at the top: what must be given first, then by name.
func blocks(root valueSchema) []string {
	rest := slices.DeleteFunc(slices.Sorted(maps.Keys(root.Properties)), func(n string) bool { return slices.Contains(root.Required, n) })
	return append(slices.Clone(root.Required), rest...)
}

func isService(s valueSchema) bool {
	_, ok := s.Properties["configOverrides"]
	return ok
}

// unlike tells the defaults in which a service differs from most.
func unlike(root, common, block valueSchema) string {
	usual := map[string]string{}
	for _, r := range root.rows("", common, nil) {
		usual[r.path] = r.standard
	}
	var out []string
	for _, r := range root.rows("", block, nil) {
		if standard, known := usual[r.path]; known && standard != r.standard {
			out = append(out, fmt.Sprintf("`%s` %s", strings.TrimPrefix(r.path, "."), r.standard))
		}
	}
	if out == nil {
		return ""
	}
	return ", with " + strings.Join(out, ", ")
}

// row is one value.
type row struct{ path, kind, standard, text, example string }

// rows lists the values below a path. A map with a default of its own is one value.
func (s valueSchema) rows(path string, of valueSchema, skip map[string]bool) []row {
	var out []row
	for _, name := range slices.Sorted(maps.Keys(of.Properties)) {
		below := of.Properties[name]
		switch {
		case skip[name]:
		case len(below.Properties) > 0 && below.Default == nil:
			out = append(out, s.rows(path+"."+name, below, nil)...)
		default:
			out = append(out, s.row(path+"."+name, below))
		}
	}
	return out
}

func (s valueSchema) row(path string, of valueSchema) row {
	r := row{path: path, kind: s.kind(of), standard: "required", text: of.Description}
	if of.Default != nil {
		r.standard = code(of.Default)
	}
	if len(of.Examples) > 0 {
		r.example = code(of.Examples[0])
	}
	return r
}

func writeRows(b *bytes.Buffer, rows []row) {
	if len(rows) == 0 {
		return
	}
	b.WriteString("\n| Value | Type | Default | What it is | Example |\n| --- | --- | --- | --- | --- |\n")
	for _, r := range rows {
		anchor := strings.ReplaceAll(r.path, "*", "")
		fmt.Fprintf(b, "| <a id=\"%s\"></a>`%s` | %s | %s | %s | %s |\n", anchor, anchor, r.kind, r.standard, plain(r.text), r.example)
	}
}

// code is JSON in the form of code, in one line of a table.
func code(v json.RawMessage) string {
	var text string
	if json.Unmarshal(v, &text) == nil {
		if text == "" {
			return "empty"
		}
		v = json.RawMessage(strings.ReplaceAll(text, "\n", `\n`))
	} else {
		var small bytes.Buffer
		if json.Compact(&small, v) == nil {
			v = small.Bytes()
		}
	}
	return "`" + strings.ReplaceAll(string(v), "|", `\|`) + "`"
}

func writeModules(b *bytes.Buffer, root valueSchema) {
	b.WriteString("\n## Config modules\n\nWhat `configOverrides` may set, by module. A service has the modules that its block lists; no other key is taken. What other objects of the release are made by as well may only repeat it: set the value instead. 1Gi repeats 1024Mi.\n")
	names := map[string]string{}
	for _, service := range root.Properties {
		for path, module := range service.Properties["configOverrides"].Properties {
			names[path] = module.Ref
		}
	}
	for _, path := range slices.Sorted(maps.Keys(names)) {
		module := root.Defs[strings.TrimPrefix(names[path], "#/$defs/")]
		fmt.Fprintf(b, "\n### %s\n\n%s Services: %s.\n\n| Setting | Type | What it is |\n| --- | --- | --- |\n", path, plain(module.Description), strings.Join(having(root, path), ", "))
		for _, r := range root.rows("", module, nil) {
			fmt.Fprintf(b, "| `%s` | %s | %s |\n", strings.TrimPrefix(r.path, "."), r.kind, plain(r.text))
		}
	}
}

// having are the services that have a config module.
func having(root valueSchema, module string) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(root.Properties)) {
		if _, ok := root.Properties[name].Properties["configOverrides"].Properties[module]; ok {
			out = append(out, fmt.Sprintf("[%s](#%s)", name, strings.ToLower(name)))
		}
	}
	return out
}

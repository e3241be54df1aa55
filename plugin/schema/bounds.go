package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Bounds of a schema, many times what a chart's has.
const (
	maxNodes  = 30_000 // of its JSON: compiling takes the square of them
	maxDepth  = 200    // of its JSON
	maxNumber = 40     // bytes of a number: 1e999999999 would fill the memory
	maxPaths  = 60_000 // ways through it, each reference followed
)

// exponent is one that no value of a chart needs.
var exponent = regexp.MustCompile(`[eE][+-]?\d{4}`)

var errTooMany = errors.New("it holds more than a schema of values has")

// bounded refuses a schema that would be costly to compile.
func bounded(doc any) error {
	b := &counter{}
	b.value(doc, 0)
	return b.err
}

type counter struct {
	nodes int
	err   error
}

func (b *counter) value(v any, depth int) {
	if b.nodes++; b.nodes > maxNodes || depth > maxDepth {
		b.err = errTooMany
	}
	if b.err != nil {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, below := range v {
			b.value(below, depth+1)
		}
	case []any:
		for _, below := range v {
			b.value(below, depth+1)
		}
	case json.Number:
		if len(v) > maxNumber || exponent.MatchString(string(v)) {
			b.err = fmt.Errorf("its number %.40s is out of bounds", v)
		}
	}
}

// followed refuses a compiled schema that would be costly to check with: one that
// refers to itself, or whose references multiply.
func followed(s *jsonschema.Schema) error {
	w := &walk{paths: map[*jsonschema.Schema]int{}}
	if w.count(s) > maxPaths && w.err == nil {
		w.err = errTooMany
	}
	return w.err
}

// walk counts the ways through a schema; one that is being counted is 0.
type walk struct {
	paths map[*jsonschema.Schema]int
	err   error
}

func (w *walk) count(s *jsonschema.Schema) int {
	if n, known := w.paths[s]; known {
		if n == 0 && w.err == nil {
			w.err = fmt.Errorf("%s refers to itself", s.Location)
		}
		return n
	}
	w.paths[s] = 0
	n := 1
	for _, below := range parts(s) {
		if n += w.count(below); n > maxPaths {
			n = maxPaths + 1 // so that it cannot overflow
		}
	}
	w.paths[s] = n
	return n
}

// parts are the schemas that one applies, to a value or to what is in it.
func parts(s *jsonschema.Schema) []*jsonschema.Schema {
	all := []*jsonschema.Schema{
		s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.UnevaluatedProperties,
		s.Contains, s.Items2020, s.UnevaluatedItems, s.ContentSchema,
	}
	if s.DynamicRef != nil {
		all = append(all, s.DynamicRef.Ref)
	}
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems} {
		all = append(all, list...)
	}
	for _, named := range []map[string]*jsonschema.Schema{s.Properties, s.DependentSchemas} {
		for _, below := range named {
			all = append(all, below)
		}
	}
	for _, below := range s.PatternProperties {
		all = append(all, below)
	}
	for _, v := range s.Dependencies {
		all = append(all, schemas(v)...)
	}
	for _, v := range []any{s.AdditionalProperties, s.AdditionalItems, s.Items} {
		all = append(all, schemas(v)...)
	}
	return present(all)
}

// schemas are those of a keyword that may hold something else as well.
func schemas(v any) []*jsonschema.Schema {
	switch v := v.(type) {
	case *jsonschema.Schema:
		return []*jsonschema.Schema{v}
	case []*jsonschema.Schema:
		return v
	}
	return nil
}

func present(all []*jsonschema.Schema) []*jsonschema.Schema {
	var out []*jsonschema.Schema
	for _, s := range all {
		if s != nil {
			out = append(out, s)
		}
	}
	return out
}

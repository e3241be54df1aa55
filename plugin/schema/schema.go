package schema

import (
	"bytes"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/values"
)

// maxBytes bounds the text of a schema: kora's own has about 130 KB.
const maxBytes = 2 << 20

// Schema is the values.schema.json of a chart.
type Schema struct {
	name string
	doc  any // as JSON
}

// Check reports every value of the tree that a schema refuses. See [Schema.Check].
func Check(tree *values.Tree, text []byte) faults.List {
	s, found := Parse("values.schema.json", text)
	if s == nil {
		return found
	}
	return s.Check(tree, nil)
}

// Parse reads the text of a schema; name is how faults call it. There is no
// schema where a fault is returned.
func Parse(name string, text []byte) (*Schema, faults.List) {
	if len(text) > maxBytes {
		return nil, broken(name, fmt.Errorf("it has %d bytes, and a schema has at most %d", len(text), maxBytes))
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err == nil {
		err = bounded(doc)
	}
	if err != nil {
		return nil, broken(name, err)
	}
	return &Schema{name, doc}, nil
}

// Check reports every value that the schema refuses, at the file, line and column
// or the flag that gave it, ordered by place (R20). The values are judged as Helm
// does: laid over those of the chart, which may be nil.
//
// What nobody gave is taken to be right: only as much of the schema is compiled
// as the values need.
func (s *Schema) Check(tree, chart *values.Tree) faults.List {
	if chart == nil {
		chart = values.Nothing()
	}
	whole := tree.Judged(chart)
	doc, v := slim(s.doc, tree, whole)
	compiled, err := compile(doc)
	if err != nil {
		return broken(s.name, err)
	}
	t := &teller{doc: s.doc, root: whole, chart: chart.Root()}
	if !t.validate(compiled, v) {
		return broken(s.name, errTooMany)
	}
	t.words(tree.Root(), "")
	return values.Finished(t.causes(tree.Partial())).Sorted()
}

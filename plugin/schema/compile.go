package schema

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/runkora/kora/internal/faults"
)

// location is what the schema is called among schemas: no place that could be read.
const location = "kora:values.schema.json"

// compile makes a schema that validates, and refuses one that would do so slowly.
func compile(doc any) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(nothingElse{})
	c.UseRegexpEngine(patterns{}.compile)
	c.RegisterVocabulary(evaluations())
	c.AssertVocabs()
	if err := c.AddResource(location, doc); err != nil {
		return nil, err
	}
	compiled, err := c.Compile(location)
	if err == nil {
		err = followed(compiled)
	}
	return compiled, err
}

// nothingElse refuses what a schema refers to outside itself, a file or an address.
type nothingElse struct{}

func (nothingElse) Load(url string) (any, error) {
	return nil, errors.New("a schema refers to nothing outside itself, and this one to " + url)
}

// patterns compiles each expression once: the same few stand in many places, and
// each is compiled to judge the schema and again to use it.
type patterns map[string]*regexp.Regexp

func (p patterns) compile(text string) (jsonschema.Regexp, error) {
	if known := p[text]; known != nil {
		return known, nil
	}
	compiled, err := regexp.Compile(text)
	if err == nil {
		p[text] = compiled
	}
	return compiled, err
}

// broken is the fault of a schema that cannot be used.
func broken(name string, err error) faults.List {
	f := faults.New(faults.BadSchema, "the schema cannot be used: "+short(reason(err)))
	f.File = name
	f.Fix = "mend the chart's values.schema.json, or use a chart as it was published"
	return faults.List{f}
}

// reason is an error of the library in one line.
func reason(err error) string {
	var load *jsonschema.LoadURLError
	if errors.As(err, &load) {
		err = load.Err
	}
	var invalid *jsonschema.SchemaValidationError
	if errors.As(err, &invalid) {
		return "it is no JSON Schema at " + at(invalid.Err)
	}
	return strings.Join(strings.Fields(err.Error()), " ")
}

// at is where the deepest of the schema's own faults is, the first in order.
func at(err error) string {
	var e *jsonschema.ValidationError
	if !errors.As(err, &e) {
		return "some place"
	}
	best := e
	var walk func(*jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		a, b := strings.Join(e.InstanceLocation, "/"), strings.Join(best.InstanceLocation, "/")
		if len(e.InstanceLocation) > len(best.InstanceLocation) || len(e.InstanceLocation) == len(best.InstanceLocation) && a < b {
			best = e
		}
		for _, c := range e.Causes {
			walk(c)
		}
	}
	walk(e)
	return fmt.Sprintf("/%s", strings.Join(best.InstanceLocation, "/"))
}

// short bounds a text for a fault.
func short(text string) string {
	if r := []rune(text); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return text
}

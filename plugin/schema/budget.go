package schema

import (
	"errors"
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/message"
)

// maxEvaluations bounds how often some part of a schema is applied to some value:
// the largest values there are take a tenth of it.
const maxEvaluations = 2_000_000

// evaluations is a vocabulary through which the library tells of each part of a
// schema that it has applied, so that a schema which makes it try everything can
// be stopped.
//
// It judges the names of keys as well: the library's own faults of them forget
// where the map was.
func evaluations() *jsonschema.Vocabulary {
	left := maxEvaluations
	return &jsonschema.Vocabulary{
		URL: "kora:evaluations",
		Compile: func(ctx *jsonschema.CompilerContext, schema map[string]any) (jsonschema.SchemaExt, error) {
			each := &evaluation{left: &left}
			if _, ok := schema["propertyNames"]; ok {
				each.names = ctx.Enqueue([]string{"propertyNames"})
			}
			return each, nil
		},
	}
}

// evaluation is one part of a schema.
type evaluation struct {
	left  *int
	names *jsonschema.Schema // of keys, nil where all are good
}

func (e *evaluation) Validate(ctx *jsonschema.ValidatorContext, v any) {
	if *e.left--; *e.left < 0 {
		panic(spent{})
	}
	keys, ok := v.(map[string]any)
	if !ok || e.names == nil {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		var wrong *jsonschema.ValidationError
		if errors.As(e.names.Validate(key), &wrong) {
			ctx.AddError(&badName{key, wrong})
		}
	}
}

// badName is the kind of a key that may not be one.
type badName struct {
	name string
	why  *jsonschema.ValidationError
}

// KeywordPath is the keyword that refused the key.
func (*badName) KeywordPath() []string { return []string{"propertyNames"} }

// LocalizedString is for the library's own texts, which kora never shows.
func (*badName) LocalizedString(*message.Printer) string { return "the key may not be one" }

// spent stops a validation.
type spent struct{}

// validate collects what the schema says, or returns false where that takes too long.
func (t *teller) validate(s *jsonschema.Schema, v any) (ended bool) {
	defer func() {
		switch p := recover(); p.(type) {
		case nil:
		case spent:
			ended = false
		default:
			panic(p)
		}
	}()
	var e *jsonschema.ValidationError
	if errors.As(s.Validate(v), &e) {
		t.each(e)
	}
	return true
}

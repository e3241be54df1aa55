package schema

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/values"
)

// sentence is what there is to say of a value.
type sentence struct {
	code                   faults.Code
	message, expected, fix string
}

// said makes a sentence of an error's kind.
func (t *teller) said(e *jsonschema.ValidationError, n *source.Node) sentence {
	s := sentence{code: faults.BadValue}
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		s = sentence{faults.WrongType, WrongType, types(k.Want), ""}
		if s.expected == "a text" && n != nil && n.Kind == source.Scalar && fromFlag(n) {
			s.fix = "use --set-string"
		}
	case *kind.Enum:
		s.message, s.expected = "not one of the values that there are", or(inlined(k.Want))
		if near := nearest(n, k.Want); near != "" {
			s.fix = fmt.Sprintf("did you mean %q?", near)
		}
	case *kind.Const:
		s.message, s.expected = "not the value that there is", inline(k.Want)
	case *kind.Pattern:
		s.message, s.expected = t.pattern(e, k)
	case *kind.Format:
		s.message, s.expected = "not of the format that is wanted", k.Want
	case *kind.Not:
		s.message, s.expected, s.fix = "a value that is kept out", "any other value", "write another value"
	case *kind.FalseSchema:
		s.message, s.expected, s.fix = "nothing may stand here", "no value", "remove it"
	case *kind.OneOf:
		s.message, s.expected = "the value has several of the forms that there are", "one form alone"
	case *kind.InvalidJsonValue:
		s.message, s.expected = "not a number that JSON has", "a number"
	default:
		s.message, s.expected = t.bounds(e)
	}
	if s.fix == "" && s.expected != "" {
		s.fix = "write " + s.expected
		if n != nil && n.Null() {
			s.fix += ", or remove the key in every file: a null takes away what the chart itself sets, and nothing else"
		}
	}
	return s
}

// WrongType is the message of a value of another type than the wanted one.
const WrongType = "the value is of the wrong type"

// pattern: the schema tells in words what it wants, as editors show it.
func (t *teller) pattern(e *jsonschema.ValidationError, k *kind.Pattern) (message, expected string) {
	text, ok := t.at(e.SchemaURL)["patternErrorMessage"].(string)
	if !ok {
		return fmt.Sprintf("%q does not have the form that is wanted", short(k.Got)), "a text that matches " + short(k.Want)
	}
	if _, example, ok := strings.Cut(text, "such as "); ok {
		expected = "a value such as " + example
	}
	return fmt.Sprintf("%q is %s", short(k.Got), text), expected
}

// bounds are those of numbers, texts, lists and maps.
func (t *teller) bounds(e *jsonschema.ValidationError) (message, expected string) {
	switch k := e.ErrorKind.(type) {
	case *kind.Minimum, *kind.Maximum, *kind.ExclusiveMinimum, *kind.ExclusiveMaximum:
		return "the number is out of range", numbers(t.at(e.SchemaURL), e.ErrorKind)
	case *kind.MultipleOf:
		return "the number is out of step", "a multiple of " + number(k.Want)
	case *kind.MinLength:
		return "the text is too short", "at least " + count(k.Want, "character")
	case *kind.MaxLength:
		return "the text is too long", "at most " + count(k.Want, "character")
	case *kind.MinItems:
		return "the list is too short", "at least " + count(k.Want, "item")
	case *kind.MaxItems:
		return "the list is too long", "at most " + count(k.Want, "item")
	case *kind.AdditionalItems:
		return "the list is too long", fmt.Sprintf("%s less", count(k.Count, "item"))
	case *kind.MinProperties:
		return "the map has too few keys", "at least " + count(k.Want, "key")
	case *kind.MaxProperties:
		return "the map has too many keys", "at most " + count(k.Want, "key")
	case *kind.Contains, *kind.MinContains, *kind.MaxContains:
		return "the list does not hold what it must", t.contained(e)
	}
	return "the schema refuses the value", ""
}

// contained names the items of which one must be there.
func (t *teller) contained(e *jsonschema.ValidationError) string {
	wanted := object(t.at(e.SchemaURL)["contains"])
	if list, ok := wanted["enum"].([]any); ok {
		return or(inlined(list)) + " among the items"
	}
	if one, ok := wanted["const"]; ok {
		return inline(one) + " among the items"
	}
	return "an item of the form that the schema gives"
}

// numbers is the range that a schema gives a number.
func numbers(node map[string]any, k jsonschema.ErrorKind) string {
	what := "a number"
	if node["type"] == "integer" {
		what = "a whole number"
	}
	low, high := node["minimum"], node["maximum"]
	switch {
	case low != nil && high != nil:
		return fmt.Sprintf("%s from %v to %v", what, low, high)
	case low != nil:
		return fmt.Sprintf("%s of %v or more", what, low)
	case high != nil:
		return fmt.Sprintf("%s of %v or less", what, high)
	}
	switch k := k.(type) {
	case *kind.ExclusiveMinimum:
		return what + " above " + number(k.Want)
	case *kind.ExclusiveMaximum:
		return what + " below " + number(k.Want)
	}
	return what
}

func number(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	f, _ := r.Float64()
	return fmt.Sprint(f)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// types are the schema's words for types as a person would say them.
func types(want []string) string {
	words := map[string]string{
		"string": "a text", "integer": "a whole number", "number": "a number", "boolean": "true or false",
		"array": "a list", "object": "a map of values", "null": "nothing",
	}
	var out []string
	for _, name := range want {
		out = append(out, words[name])
	}
	return or(out)
}

func or(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

func inlined(list []any) []string {
	var out []string
	for _, v := range list {
		if v == "" {
			v = `""`
		}
		out = append(out, inline(v))
	}
	return out
}

func nearest(n *source.Node, want []any) string {
	if n == nil || n.Tag != "!!str" {
		return ""
	}
	return fields.Nearest(n.Value, inlined(want))
}

// fromFlag reports whether a --set gave a value, whose quotes are part of it.
func fromFlag(n *source.Node) bool {
	return n.Pos.File != nil && strings.HasPrefix(n.Pos.File.Name, values.Set.String()+" ")
}

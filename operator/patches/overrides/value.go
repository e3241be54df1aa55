package overrides

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// value reads a variable's text as what the field holds: a text as it is, a
// map, a list or an object as YAML or JSON.
func value(text string, t *fields.Type) (*source.Node, *refusal) {
	if !utf8.ValidString(text) {
		return nil, refuse("its value is not text in UTF-8")
	}
	word := strings.TrimSpace(text)
	wrong := refuse("its value does not fit the field").expecting(t.String())
	switch t.Kind {
	case fields.Object, fields.Map, fields.List, fields.Any:
		return structure(text, t)
	case fields.Int:
		return number(word, t.Bits, wrong)
	case fields.Bool:
		return boolean(word, wrong)
	case fields.Float:
		if f, err := strconv.ParseFloat(word, 64); err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return nil, wrong
		}
		return &source.Node{Tag: "!!float", Value: word}, nil
	case fields.IntOrString:
		if n, r := number(word, 32, wrong); r == nil {
			return n, nil
		}
	case fields.Quantity:
		if _, err := fields.ParseQuantity(word); err != nil {
			return nil, wrong
		}
		return textNode(word), nil
	}
	return textNode(text), checked(textNode(text), t)
}

func number(word string, bits int, wrong *refusal) (*source.Node, *refusal) {
	i, err := strconv.ParseInt(word, 10, max(bits, 8))
	if err != nil {
		return nil, wrong
	}
	return keyNode(i), nil
}

func boolean(word string, wrong *refusal) (*source.Node, *refusal) {
	if word = strings.ToLower(word); word != "true" && word != "false" {
		return nil, wrong
	}
	return &source.Node{Tag: "!!bool", Value: word}, nil
}

// structure reads YAML, of which JSON is a part.
func structure(text string, t *fields.Type) (*source.Node, *refusal) {
	docs, found := source.Parse(source.NewFile("", text), source.DefaultLimits)
	expected := t.String() + ", in YAML or JSON"
	if found.Refused() {
		return nil, malformed(found[0]).expecting(expected)
	}
	if len(docs) != 1 {
		return nil, refuse("its value is not one document of YAML").expecting(expected)
	}
	if r := literal(docs[0]); r != nil {
		return nil, r
	}
	return docs[0], checked(docs[0], t)
}

func malformed(f faults.Fault) *refusal {
	switch f.Code {
	case faults.YAMLDuplicate:
		return refuse("its value has a key twice in one map")
	case faults.YAMLLimit:
		return refuse("its value is larger or deeper than kora reads")
	}
	return refuse("its value is not YAML")
}

// literal refuses what a merge patch would act on instead of taking it over.
func literal(n *source.Node) *refusal {
	if n.Null() {
		return refuse("a null in its value would remove the field")
	}
	for _, f := range n.Fields {
		if strings.HasPrefix(f.Key.Value, "$") {
			return refuse("its value has a key that begins with $, which kustomize takes for a directive")
		}
		if r := literal(f.Value); r != nil {
			return r
		}
	}
	for _, item := range n.Items {
		if r := literal(item); r != nil {
			return r
		}
	}
	return nil
}

// checked compares the value with the type, and says what is wrong without a
// word of the value.
func checked(n *source.Node, t *fields.Type) *refusal {
	found := fields.Check(n, t, "")
	if len(found) == 0 {
		return nil
	}
	switch f := found[0]; f.Code {
	case faults.UnknownField:
		r := refuse("its value has a field that the type does not have").expecting(f.Expected)
		r.fix = f.Fix
		if !strings.HasPrefix(r.fix, "did you mean") {
			r.fix = ""
		}
		return r
	case faults.AmbiguousBool:
		return refuse("its value has a plain word that YAML 1.1 takes for a boolean").expecting("a text in quotes")
	default:
		return refuse("its value does not fit the field").expecting(f.Expected)
	}
}

func textNode(text string) *source.Node { return &source.Node{Tag: "!!str", Value: text} }

// keyNode is a number or a text that an item is told apart by.
func keyNode(v any) *source.Node {
	switch v := v.(type) {
	case int64:
		return &source.Node{Tag: "!!int", Value: strconv.FormatInt(v, 10)}
	case string:
		return textNode(v)
	}
	return textNode(fmt.Sprint(v))
}

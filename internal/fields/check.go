package fields

import (
	"encoding/base64"
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// Checker compares a YAML tree with a type.
type Checker struct {
	// Patch allows what only a strategic merge patch may hold: null for
	// "remove this", and the $patch directive.
	Patch bool

	words bool // refuse a plain word that only one YAML takes for a boolean
	found faults.List
	bad   map[*source.Node]bool // the keys and values refused, when asked for
}

func (c *Checker) refuse(n *source.Node, f faults.Fault) {
	c.found = append(c.found, f)
	if c.bad != nil {
		c.bad[n] = true
	}
}

// Check returns a fault for every field that t does not have, at any depth,
// with the nearest real name, and for every value that the field cannot hold
// (R13, R20). Each fault points at the offending key or value.
func Check(n *source.Node, t *Type, at Path) faults.List {
	c := Checker{words: true}
	c.value(n, t, at)
	return c.found
}

// CheckText is Check for what stands in the text of a patch: kustomize alone
// reads it, to whom the plain word on is a text, and Helm never does.
func CheckText(n *source.Node, t *Type, at Path) faults.List {
	c := Checker{}
	c.value(n, t, at)
	return c.found
}

func (c *Checker) value(n *source.Node, t *Type, at Path) {
	if n.Null() {
		return // absent: Kubernetes reads an explicit null so, and a patch removes by it
	}
	switch t.Kind {
	case Any:
	case Object:
		c.object(n, t, at)
	case Map:
		c.mapping(n, t, at)
	case List:
		c.list(n, t, at)
	default:
		c.scalar(n, t, at)
	}
}

func (c *Checker) object(n *source.Node, t *Type, at Path) {
	if !c.shape(n, source.Mapping, t, at) {
		return
	}
	for _, f := range n.Fields {
		field := t.Field(f.Key.Value)
		switch {
		case field != nil:
			c.value(f.Value, field.Type, at.Child(field.Name))
		case c.Patch && f.Key.Value == "$patch":
			c.directive(f.Value, at)
		default:
			c.refuse(f.Key, Unknown(f.Key.Pos, f.Key.Value, t, at))
		}
	}
}

func (c *Checker) mapping(n *source.Node, t *Type, at Path) {
	if !c.shape(n, source.Mapping, t, at) {
		return
	}
	for _, f := range n.Fields {
		if c.Patch && f.Key.Value == "$patch" {
			c.directive(f.Value, at)
			continue
		}
		c.value(f.Value, t.Elem, at.Child(f.Key.Value))
	}
}

func (c *Checker) list(n *source.Node, t *Type, at Path) {
	if !c.shape(n, source.Sequence, t, at) {
		return
	}
	for i, item := range n.Items {
		if c.Patch && item.Kind == source.Mapping && len(item.Fields) == 1 && item.Get("$patch") != nil {
			c.directive(item.Get("$patch"), at)
			continue
		}
		if item.Null() {
			c.wrong(item, t.Elem, at.Index(i), "null")
			continue
		}
		c.value(item, t.Elem, at.Index(i))
	}
}

func (c *Checker) directive(n *source.Node, at Path) {
	switch n.Value {
	case "merge", "replace", "delete":
		return
	}
	f := n.Pos.Fault(faults.WrongType, "$patch is none of the directives that kustomize knows")
	f.Field, f.Found, f.Expected = string(at), n.Value, "merge, replace or delete"
	c.refuse(n, f)
}

func (c *Checker) shape(n *source.Node, k source.Kind, t *Type, at Path) bool {
	if n.Kind == k {
		return true
	}
	c.wrong(n, t, at, describe(n))
	return false
}

func (c *Checker) scalar(n *source.Node, t *Type, at Path) {
	switch {
	case n.Kind != source.Scalar:
		c.wrong(n, t, at, describe(n))
	case t.Kind == String && c.words && n.AmbiguousBool():
		f := n.Pos.Fault(faults.AmbiguousBool, fmt.Sprintf("the plain word %s is a boolean to Helm and a text to other readers of YAML", n.Value))
		f.Field, f.Found, f.Expected = string(at), n.Value, "a text in quotes"
		f.Fix = fmt.Sprintf("write %q", n.Value)
		c.refuse(n, f)
	case !holds(n, t):
		c.wrong(n, t, at, describe(n))
	case !t.Takes(n.Value):
		c.unlisted(n, t, at)
	}
}

// holds reports whether a scalar is one that the API server decodes into t.
func holds(n *source.Node, t *Type) bool {
	switch t.Kind {
	case String:
		return n.Tag == "!!str"
	case Bool:
		return n.Tag == "!!bool"
	case Int:
		return fits(n, t.Bits)
	case Float:
		v, ok := n.Any().(float64)
		return n.Tag == "!!int" || ok && !math.IsInf(v, 0) && !math.IsNaN(v)
	case Quantity:
		_, err := ParseQuantity(n.Value)
		return n.Tag != "!!bool" && err == nil
	case IntOrString:
		return n.Tag == "!!str" || fits(n, 32)
	case Time:
		_, err := time.Parse(time.RFC3339, n.Value)
		return err == nil
	case Bytes:
		_, err := base64.StdEncoding.DecodeString(n.Value)
		return n.Tag == "!!str" && err == nil
	}
	return true
}

func fits(n *source.Node, bits int) bool {
	i, ok := n.Any().(int64)
	return ok && n.Tag == "!!int" && (bits >= 64 || i >= -1<<(bits-1) && i < 1<<(bits-1))
}

// Unknown is the fault of a name at a place that type t has no field for.
func Unknown(pos source.Pos, name string, t *Type, at Path) faults.Fault {
	f := pos.Fault(faults.UnknownField, fmt.Sprintf("unknown field %q", name))
	f.Field, f.Found = string(at.Child(name)), name
	f.Expected = "a field of " + t.Name
	if t.Name == "" {
		f.Expected = "one of " + strings.Join(t.Names(), ", ")
	}
	switch near := Nearest(name, t.Names()); {
	case near != "":
		f.Fix = fmt.Sprintf("did you mean %q?", near)
	case strings.HasPrefix(name, "$"):
		f.Fix = "remove it: of the directives kustomize acts on $patch alone"
	case t.Name != "" && len(t.Fields) <= 20:
		f.Fix = "use one of: " + strings.Join(t.Names(), ", ")
	}
	return f
}

func (c *Checker) wrong(n *source.Node, t *Type, at Path, found string) {
	f := n.Pos.Fault(faults.WrongType, "the value is of the wrong type")
	f.Field, f.Found, f.Expected = string(at), found, t.String()
	if t.Kind == String && n.Kind == source.Scalar && plainWord.MatchString(n.Value) {
		f.Fix = fmt.Sprintf("put it in quotes: %q", n.Value)
	}
	c.refuse(n, f)
}

var plainWord = regexp.MustCompile(`^[\w.+-]+$`)

// String says in words what a value of the type looks like.
func (t *Type) String() string {
	switch t.Kind {
	case Object:
		return "a map of the fields of " + t.Name
	case Map:
		return "a map of names to " + t.Elem.String()
	case List:
		return "a list of " + t.Elem.String()
	}
	return [...]string{
		Any: "any value", String: "a text", Int: "a whole number", Bool: "true or false", Float: "a number",
		Quantity: "a quantity such as 500m or 2Gi", IntOrString: "a whole number or a text", Time: "a time such as 2026-01-02T15:04:05Z",
		Bytes: "a text in base64",
	}[t.Kind]
}

// describe says what a node is, with its text where that is short.
func describe(n *source.Node) string {
	if n.Kind != source.Scalar {
		return n.Kind.String()
	}
	text := n.Value
	if r := []rune(text); len(r) > 40 {
		text = string(r[:40]) + "…"
	}
	kinds := map[string]string{"!!int": "the number ", "!!float": "the number ", "!!bool": "the boolean ", "!!null": "null "}
	if kind, ok := kinds[n.Tag]; ok {
		return kind + text
	}
	return fmt.Sprintf("the text %q", text)
}

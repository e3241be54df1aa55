package patches

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/patches/kustomize"
)

type operationShape = struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	From  string `json:"from"`
	Value any    `json:"value"`
}

var (
	withValue = []string{"add", "replace", "test"}
	withFrom  = []string{"move", "copy"}
	allOps    = slices.Concat(withValue, withFrom, []string{"remove"})
)

func (c *compiler) operations(p *patch, list *source.Node) {
	if len(list.Items) == 0 {
		c.shape(list.Pos, "the patch holds no operation", "")
	}
	for _, n := range list.Items {
		was := len(c.found)
		c.found = append(c.found, fields.CheckText(n, fields.Of(operationShape{}), "")...)
		if n.Kind == source.Mapping {
			c.complete(n)
			c.typed(p, n)
		}
		if len(c.found) == was {
			c.operation(p, n)
		}
	}
}

// typed compares an operation with the kinds it is for, as far as it is whole.
func (c *compiler) typed(p *patch, n *source.Node) {
	if !isPointer(n.Get("path")) || slices.Contains(withFrom, textOf(n, "op")) && !isPointer(n.Get("from")) {
		return
	}
	for _, k := range p.target.kinds {
		c.found = append(c.found, object(checkOperation(n, k.Type), k)...)
	}
}

func isPointer(n *source.Node) bool {
	return !n.Null() && n.Kind == source.Scalar && strings.HasPrefix(n.Value, "/")
}

// complete checks what an operation of its name must have (RFC 6902).
func (c *compiler) complete(n *source.Node) {
	op := textOf(n, "op")
	if !slices.Contains(allOps, op) {
		f := n.Pos.Fault(faults.PatchShape, "not a JSON6902 operation")
		f.Field, f.Found, f.Expected = "op", op, "one of "+strings.Join(allOps, ", ")
		if near := fields.Nearest(op, allOps); near != "" {
			f.Fix = fmt.Sprintf("did you mean %q?", near)
		}
		c.add(f)
	}
	c.pointer(n, "path")
	if slices.Contains(withFrom, op) {
		c.pointer(n, "from")
	}
	if slices.Contains(withValue, op) && n.Get("value") == nil {
		c.shape(n.Pos, op+" needs a value", "")
	}
}

func (c *compiler) pointer(n *source.Node, name string) {
	v := n.Get(name)
	if isPointer(v) {
		return
	}
	pos, found := n.Pos, "(none)"
	if v != nil {
		pos, found = v.Pos, v.Value
	}
	f := pos.Fault(faults.PatchShape, name+" is a JSON pointer")
	f.Field, f.Found, f.Expected = name, found, "a text that begins with /"
	c.add(f)
}

func textOf(n *source.Node, name string) string {
	if v := n.Get(name); !v.Null() && v.Kind == source.Scalar {
		return v.Value
	}
	return ""
}

func (c *compiler) operation(p *patch, n *source.Node) {
	var value *any
	if v := n.Get("value"); v != nil {
		plain := v.Any()
		value = &plain
	}
	e, from := edit{node: n, path: kustomize.Segments(textOf(n, "path"))}, ""
	if slices.Contains(withFrom, textOf(n, "op")) {
		from = textOf(n, "from")
		e.from = kustomize.Segments(from)
	}
	op, err := kustomize.NewOp(textOf(n, "op"), textOf(n, "path"), from, value)
	if err != nil {
		c.shape(n.Pos, "the operation cannot be written as JSON: "+err.Error(), "")
		return
	}
	e.apply = op
	p.edits = append(p.edits, e)
}

// checkOperation compares an operation with the type it is for: each part of
// its pointers must be a field, and its value what the field can hold.
func checkOperation(n *source.Node, t *fields.Type) faults.List {
	at, found := walk(n.Get("path"), t)
	if slices.Contains(withFrom, textOf(n, "op")) {
		found = append(found, checkFrom(n.Get("from"), t, at)...)
	}
	if value := n.Get("value"); at != nil && value != nil && textOf(n, "op") != "test" {
		found = append(found, fields.CheckText(value, at, dotted(textOf(n, "path")))...)
	}
	return found
}

// walk follows a pointer through a type; nil when it leaves it.
func walk(pointer *source.Node, t *fields.Type) (*fields.Type, faults.List) {
	text := source.Embed(pointer, pointer.Pos.File.Key)
	column, at := 2, fields.Path("")
	for raw := range strings.SplitSeq(pointer.Value[1:], "/") {
		segment := kustomize.Segments("/" + raw)[0]
		next, f := step(text.At(1, column), t, segment, at)
		if f != nil {
			return nil, faults.List{*f}
		}
		column += len([]rune(raw)) + 1
		if t, at = next, under(t, at, segment); t == nil {
			break
		}
	}
	return t, nil
}

// under is the path of a field or of an item, as faults print both.
func under(t *fields.Type, at fields.Path, segment string) fields.Path {
	if t.Kind == fields.List {
		return at + fields.Path("["+segment+"]")
	}
	return at.Child(segment)
}

func step(pos source.Pos, t *fields.Type, segment string, at fields.Path) (*fields.Type, *faults.Fault) {
	switch t.Kind {
	case fields.Any, fields.Map:
		if t.Elem == nil {
			return t, nil
		}
		return t.Elem, nil
	case fields.List:
		if _, err := strconv.Atoi(segment); err == nil || segment == "-" {
			return t.Elem, nil
		}
		f := pos.Fault(faults.WrongType, "an item of a list is named by its place")
		f.Field, f.Found, f.Expected = string(at), segment, "a number, or - for the end"
		return nil, &f
	case fields.Object:
		if f := t.Field(segment); f != nil {
			return f.Type, nil
		}
		f := fields.Unknown(pos, segment, t, at)
		return nil, &f
	}
	f := pos.Fault(faults.UnknownField, fmt.Sprintf("%s has no field %q: it is %s", at, segment, t))
	f.Field, f.Found = string(at.Child(segment)), segment
	return nil, &f
}

// dotted is a pointer as faults print it.
func dotted(pointer string) fields.Path {
	var out fields.Path
	for _, s := range kustomize.Segments(pointer) {
		if _, err := strconv.Atoi(s); err == nil || s == "-" {
			out += fields.Path("[" + s + "]")
		} else {
			out = out.Child(s)
		}
	}
	return out
}

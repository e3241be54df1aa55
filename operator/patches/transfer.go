package patches

import (
	"fmt"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/patches/kustomize"
)

// checkFrom compares what a move or copy takes with the type of where it goes,
// nil where that is unknown.
func checkFrom(from *source.Node, t, to *fields.Type) faults.List {
	of, found := walk(from, t)
	if of == nil || to == nil || fits(of, to) {
		return found
	}
	f := from.Pos.Fault(faults.WrongType, "what is moved or copied is of another type than the field it goes to")
	f.Field, f.Found, f.Expected = string(dotted(from.Value)), of.String(), to.String()
	return append(found, f)
}

// fits reports whether a field of type to takes the value of one of type from.
// What may hold anything takes no copy: it could be copied into itself.
func fits(from, to *fields.Type) bool {
	switch {
	case from.Kind == fields.Any || to.Kind == fields.Any:
		return false
	case to.Kind == fields.IntOrString:
		return from.Kind == to.Kind || from.Kind == fields.Int || from.Kind == fields.String
	case from.Kind != to.Kind:
		return false
	case to.Kind == fields.Object:
		return from == to
	case to.Kind == fields.List || to.Kind == fields.Map:
		return fits(from.Elem, to.Elem)
	}
	return true
}

// maxCopied bounds in bytes what copies may add to one object: items of lists
// in lists, each copied again and again, would fill any memory.
const maxCopied = 1 << 20

// overcopied counts a copy, and refuses it when the object has had too many.
func (o *Object) overcopied(now map[string]any, e *edit) *faults.Fault {
	if e.from == nil || textOf(e.node, "op") != "copy" {
		return nil
	}
	v, _ := kustomize.Value(now, e.from)
	if o.copied += weigh(v); o.copied <= maxCopied {
		return nil
	}
	f := e.node.Pos.Fault(faults.PatchLimit, "the copies make the object too large")
	f.Object, f.Found, f.Expected = o.Title(), fmt.Sprintf("%d bytes", o.copied), fmt.Sprintf("at most %d bytes copied", maxCopied)
	return &f
}

// weigh is about how many bytes a value is when written.
func weigh(v any) int {
	n := 8
	switch v := v.(type) {
	case string:
		n += len(v)
	case []any:
		for _, item := range v {
			n += weigh(item)
		}
	case map[string]any:
		for k, item := range v {
			n += len(k) + weigh(item)
		}
	}
	return n
}

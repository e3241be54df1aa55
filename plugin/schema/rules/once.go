package rules

import (
	"slices"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/schema"
	"github.com/runkora/kora/plugin/values"
)

// spot is where a fault stands; a flag has no line, and may hold many values.
type spot struct {
	file         string
	line, column int
}

func spotOf(f faults.Fault) spot { return spot{f.File, f.Line, f.Column} }

// once leaves one fault of one cause: where a value is not read, or not read alike by
// all, what else is told at that place comes of it, and so does a contradiction of a
// setting of another type. One in a wrong form of its type contradicts all the same:
// the right form would, too.
func once(tree *values.Tree, found faults.List) faults.List {
	silent := map[spot]faults.Code{}
	unread(tree.Root(), silent)
	wrong := map[string]bool{}
	for _, f := range found {
		if f.Line > 0 && (f.Code == faults.AmbiguousBool || f.Code == faults.AmbiguousNumber) {
			silent[spotOf(f)] = f.Code
		}
		if f.Message == schema.WrongType {
			wrong[f.Field] = true
		}
	}
	return slices.DeleteFunc(found, func(f faults.Fault) bool {
		code, told := silent[spotOf(f)]
		return told && f.Code != code || f.Code == faults.Contradiction && wrong[f.Field]
	})
}

// unread notes the values with a tag that is refused where they are read.
func unread(n *source.Node, at map[spot]faults.Code) {
	if n == nil {
		return
	}
	if n.Kind == source.Scalar && n.Tag != "" && !source.Reads(n.Tag) && n.Pos.File != nil && n.Pos.Line > 0 {
		at[spotOf(n.Pos.Fault(faults.YAMLSyntax, ""))] = faults.YAMLSyntax
	}
	for _, f := range n.Fields {
		unread(f.Key, at)
		unread(f.Value, at)
	}
	for _, item := range n.Items {
		unread(item, at)
	}
}

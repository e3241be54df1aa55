package settings

import (
	"encoding/json"
	"errors"
	"io/fs"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// decode reads a tree into a type, less the keys and values at which faults point.
func decode(root *source.Node, found faults.List, into any) error {
	bad := map[source.Pos]bool{}
	for _, f := range found {
		bad[source.Pos{Line: f.Line, Column: f.Column}] = true
	}
	if at(root, bad) && root.Kind != source.Mapping {
		return nil
	}
	text, err := json.Marshal(pruned(root, bad).Any())
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

func pruned(n *source.Node, bad map[source.Pos]bool) *source.Node {
	var left []source.Field
	for _, f := range n.Fields {
		if !at(f.Key, bad) && !at(f.Value, bad) {
			left = append(left, source.Field{Key: f.Key, Value: pruned(f.Value, bad)})
		}
	}
	var items []*source.Node
	for _, item := range n.Items {
		if !at(item, bad) {
			items = append(items, pruned(item, bad))
		}
	}
	return n.With(left, items)
}

func at(n *source.Node, bad map[source.Pos]bool) bool {
	return bad[source.Pos{Line: n.Pos.Line, Column: n.Pos.Column}]
}

// why is what the system says of a file, without its path.
func why(err error) string {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err.Error()
	}
	return err.Error()
}

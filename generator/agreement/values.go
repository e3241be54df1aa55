package agreement

import (
	"fmt"
	"slices"
	"strings"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/generator/releases"
	"github.com/runkora/kora/internal/source"
)

// Values are what a generated tree gives kora of an environment, over a person's
// own values: the release's own template filled in, and of each value the place
// that its fact has in the environment (R38, R55). The theme is not among them,
// which is a file beside the person's values.
//
// The error is of the template, which is kora's own.
func Values(env environment.Placed) (*source.Node, error) {
	graph, err := releases.Reference(releases.Pins{})
	if err != nil {
		return nil, err
	}
	text, err := releases.Template(graph.Release(releases.Kora).Values)
	if err != nil {
		return nil, err
	}
	if text, err = env.NewRenderer().Render(env.File, text); err != nil {
		return nil, err
	}
	docs, found := source.Parse(source.NewFile(env.File, text), environment.Limits)
	if found.Refused() || len(docs) != 1 {
		return nil, fmt.Errorf("the facts of %s are no values: %v", env.File, found)
	}
	return places{env}.of(docs[0], ""), nil
}

// places puts values where their facts stand.
type places struct{ env environment.Placed }

// of copies a node at a path of the values, with every place of the environment's
// file; what is no fact, or one left out, has the file alone.
func (p places) of(n *source.Node, path string) *source.Node {
	return moved(n, p.at(path), func(key string) *source.Node {
		below := strings.TrimPrefix(path+"."+key, ".")
		return p.of(n.Get(key), below)
	})
}

// at is the place of the fact at a path of the values, or of the nearest above it.
func (p places) at(path string) source.Pos {
	for _, f := range facts() {
		if f.env == "" || path != f.value && !strings.HasPrefix(path, f.value+".") {
			continue
		}
		if pos := p.env.At(f.env); pos.File != nil {
			return pos
		}
	}
	return source.Pos{File: source.NewFile(p.env.File, "")}
}

// moved is a copy of a node at another place; of a mapping, below gives the value
// of each key.
func moved(n *source.Node, at source.Pos, below func(key string) *source.Node) *source.Node {
	out := *n
	out.Pos, out.Fields, out.Items = at, slices.Clone(n.Fields), slices.Clone(n.Items)
	for i, f := range out.Fields {
		value := below(f.Key.Value)
		key := *f.Key
		key.Pos = value.Pos
		out.Fields[i] = source.Field{Key: &key, Value: value}
	}
	for i, item := range out.Items {
		out.Items[i] = moved(item, at, func(key string) *source.Node {
			return moved(item.Get(key), at, nil)
		})
	}
	return &out
}

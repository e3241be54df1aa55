package source

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/runkora/kora/internal/faults"
)

// reader turns the parser's nodes into ours within the limits.
type reader struct {
	file    *File
	limits  Limits
	nodes   int
	aliases int
	anchors map[*yaml.Node]bool // anchors being expanded, to stop a cycle
	found   faults.List
	stopped bool
}

func (r *reader) node(y *yaml.Node, depth int) *Node {
	if y.Kind == yaml.DocumentNode {
		return r.node(y.Content[0], depth)
	}
	if y.Kind == yaml.AliasNode {
		return r.alias(y, depth)
	}
	n := &Node{Pos: r.file.At(y.Line, y.Column), style: y.Style}
	if r.over(n.Pos, depth) {
		return nil
	}
	switch y.Kind {
	case yaml.MappingNode:
		n.Kind = Mapping
		r.fields(n, y, depth)
	case yaml.SequenceNode:
		n.Kind = Sequence
		r.items(n, y, depth)
	default:
		n.scalar(y)
	}
	if !knownTags[y.ShortTag()] {
		r.refuse(n.Pos, "the YAML tag "+y.ShortTag()+" is not read", "remove the tag, or quote a text that begins with !")
	}
	return n
}

// knownTags are those that JSON, and so Kubernetes, has a place for; a time
// or a "<<" that stands as a value is read as text.
var knownTags = map[string]bool{
	"!!str": true, "!!int": true, "!!bool": true, "!!float": true, "!!null": true,
	"!!map": true, "!!seq": true, "!!timestamp": true, "!!merge": true,
}

// Reads reports whether a node may have a tag; any other is refused where it is read.
func Reads(tag string) bool { return knownTags[tag] }

func (n *Node) scalar(y *yaml.Node) {
	n.Tag, n.Value = y.ShortTag(), y.Value
	if n.Tag == "!!timestamp" || n.Tag == "!!merge" {
		n.Tag = "!!str" // Kubernetes knows neither
	}
	const explicit = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle | yaml.TaggedStyle
	n.Plain = y.Style&explicit == 0
}

func (r *reader) items(n *Node, y *yaml.Node, depth int) {
	for _, c := range y.Content {
		if item := r.node(c, depth+1); item != nil {
			n.Items = append(n.Items, item)
		}
		if r.stopped {
			return
		}
	}
}

func (r *reader) fields(n *Node, y *yaml.Node, depth int) {
	seen := make(map[string]*Node, len(y.Content)/2)
	var merging, merged *Node // the "<<" and what it merges
	for i := 0; i+1 < len(y.Content) && !r.stopped; i += 2 {
		key, value := r.node(y.Content[i], depth+1), r.node(y.Content[i+1], depth+1)
		switch {
		case key == nil || value == nil:
		case key.Kind != Scalar:
			r.refuse(key.Pos, "a key is a plain word, not "+key.Kind.String(), "write a word and a colon, or quote the text")
		case y.Content[i].ShortTag() == "!!merge" && merging != nil:
			r.add(duplicate(key, merging)) // of two, readers take one, or the other, or both
		case y.Content[i].ShortTag() == "!!merge":
			merging, merged = key, value
		case seen[key.Value] != nil:
			r.add(duplicate(key, seen[key.Value]))
		default:
			seen[key.Value] = key
			n.Fields = append(n.Fields, Field{key, value})
		}
	}
	if merged != nil {
		r.merge(n, merged, seen)
	}
	n.indexed()
}

// merge adds the fields of a "<<" that the mapping does not set itself.
func (r *reader) merge(n, from *Node, seen map[string]*Node) {
	if from.Kind == Sequence {
		for _, item := range from.Items {
			r.merge(n, item, seen)
		}
		return
	}
	if from.Kind != Mapping {
		r.refuse(from.Pos, `"<<" merges maps only`, `let "<<" name a map, or quote it to mean a key`)
	}
	for _, f := range from.Fields {
		if seen[f.Key.Value] == nil {
			seen[f.Key.Value] = f.Key
			n.Fields = append(n.Fields, f)
		}
	}
}

func (r *reader) alias(y *yaml.Node, depth int) *Node {
	pos := r.file.At(y.Line, y.Column)
	if r.aliases++; r.aliases > r.limits.Aliases {
		r.stop(limit(pos, "too many YAML aliases", fmt.Sprint(r.aliases), fmt.Sprintf("at most %d", r.limits.Aliases)))
		return nil
	}
	if r.anchors[y.Alias] {
		r.stop(limit(pos, "a YAML alias contains itself", "*"+y.Value, ""))
		return nil
	}
	r.anchors[y.Alias] = true
	defer delete(r.anchors, y.Alias)
	return r.node(y.Alias, depth)
}

func (r *reader) over(p Pos, depth int) bool {
	r.nodes++
	switch {
	case r.stopped:
	case r.nodes > r.limits.Nodes:
		r.stop(limit(p, "too many YAML values", fmt.Sprint(r.nodes), fmt.Sprintf("at most %d, aliases expanded", r.limits.Nodes)))
	case depth > r.limits.Depth:
		r.stop(limit(p, "YAML is nested too deep", fmt.Sprint(depth), fmt.Sprintf("at most %d levels", r.limits.Depth)))
	}
	return r.stopped
}

func (r *reader) add(f faults.Fault) { r.found = append(r.found, f) }

func (r *reader) refuse(p Pos, message, fix string) {
	f := p.Fault(faults.YAMLSyntax, message)
	f.Fix = fix
	r.add(f)
}

func (r *reader) stop(f faults.Fault) {
	r.add(f)
	r.stopped = true
}

func duplicate(key, first *Node) faults.Fault {
	f := key.Pos.Fault(faults.YAMLDuplicate, fmt.Sprintf("the key %q stands twice in one map", key.Value))
	f.Found = fmt.Sprintf("first at line %d", first.Pos.Line)
	f.Fix = "keep one of the two"
	return f
}

package lint

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/runkora/kora/internal/source"
)

// filled is an action of a Go template, on one line.
var filled = regexp.MustCompile(`\{\{[^}\n]*\}\}`)

// marker stands for each character of an action while YAML is read.
const marker = "\ue000"

var marked = regexp.MustCompile(marker + "+")

// patched is the template of an ApplicationSet with its templatePatch merged in,
// as far as it can be read before it is filled in: a line that is nothing but
// an action is left out, and elsewhere an action is a text that nobody knows.
// What comes of it is doubtful where lines depend on an action, or nothing of the
// patch could be read.
func patched(f file, template, patch *source.Node) (out *source.Node, doubtful bool) {
	if patch == nil || patch.Kind == source.Scalar && strings.TrimSpace(patch.Value) == "" {
		return template, false
	}
	text, depends := alone(f.text, patch)
	docs, found := source.Parse(source.NewFile(f.name, text), limits)
	if found.Refused() || len(docs) != 1 || docs[0].Kind != source.Mapping {
		return template, true
	}
	return merged(template, asWritten(source.NewFile(f.name, f.text), docs[0])), depends
}

// alone is the file with the patch's lines alone, where they stand in the file,
// so that faults have their place, and whether any line was left out. It is
// empty of a patch that is no block of lines.
func alone(text string, patch *source.Node) (left string, depends bool) {
	lines, from := strings.SplitAfter(text, "\n"), max(patch.Pos.Line, 1)
	inner := strings.Split(strings.TrimSuffix(patch.Value, "\n"), "\n")
	var b strings.Builder
	for i, line := range lines {
		switch i -= from; {
		case i < 0 || i >= len(inner):
			b.WriteString("\n")
			continue
		case strings.TrimSpace(line) != strings.TrimSpace(inner[i]):
			return "", true
		}
		plain := filled.ReplaceAllStringFunc(line, func(s string) string { return strings.Repeat(marker, utf8.RuneCountInString(s)) })
		if strings.Contains(plain, marker) && strings.Trim(strings.TrimSpace(plain), marker) == "" {
			plain, depends = "\n", true
		}
		b.WriteString(plain)
	}
	return b.String(), depends
}

// asWritten is a node of a patch as its file has it: what an action will be filled
// with nobody knows, so that it is a placeholder.
func asWritten(f *source.File, n *source.Node) *source.Node {
	if n == nil {
		return nil
	}
	var list []source.Field
	for _, each := range n.Fields {
		list = append(list, source.Field{Key: asWritten(f, each.Key), Value: asWritten(f, each.Value)})
	}
	var all []*source.Node
	for _, item := range n.Items {
		all = append(all, asWritten(f, item))
	}
	out := n.With(list, all)
	out.Value, out.Pos.File = marked.ReplaceAllString(n.Value, "{{…}}"), f
	return out
}

// merged is a strategic merge as far as it is needed here: maps are merged, and
// anything else is replaced.
func merged(base, over *source.Node) *source.Node {
	if base == nil || base.Kind != source.Mapping || over.Kind != source.Mapping {
		return over
	}
	var out []source.Field
	for _, each := range base.Fields {
		if o := over.Field(each.Key.Value); o != nil {
			each = source.Field{Key: o.Key, Value: merged(each.Value, o.Value)}
		}
		out = append(out, each)
	}
	for _, each := range over.Fields {
		if base.Field(each.Key.Value) == nil {
			out = append(out, each)
		}
	}
	return base.With(out, nil)
}

package lint

import (
	"regexp"
	"strings"

	"github.com/runkora/kora/internal/source"
)

// filled is an action of a Go template, on one line.
var filled = regexp.MustCompile(`\{\{[^}\n]*\}\}`)

// patched is the template of an ApplicationSet with its templatePatch merged in,
// as far as it can be read before it is filled in: a line that is nothing but
// an action is left out, and elsewhere an action is a word.
func patched(f file, template, patch *source.Node) *source.Node {
	if patch == nil || patch.Kind != source.Scalar || patch.Value == "" {
		return template
	}
	docs, found := source.Parse(source.NewFile(f.name, alone(f.text, patch)), limits)
	if found.Refused() || len(docs) != 1 {
		return template
	}
	return merged(template, docs[0])
}

// alone is the file with the patch's lines alone, where they stand in the file,
// so that faults have their place.
func alone(text string, patch *source.Node) string {
	lines, from := strings.SplitAfter(text, "\n"), max(patch.Pos.Line, 1)
	count := strings.Count(strings.TrimSuffix(patch.Value, "\n"), "\n") + 1
	var b strings.Builder
	for i, line := range lines {
		inner := i >= from && i < from+count
		plain := filled.ReplaceAllStringFunc(line, func(s string) string { return strings.Repeat("x", len(s)) })
		if !inner || strings.Trim(strings.TrimSpace(plain), "x") == "" {
			plain = "\n"
		}
		b.WriteString(plain)
	}
	return b.String()
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

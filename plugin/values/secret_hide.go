package values

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// hush collects the values that are not to be shown.
type hush struct {
	refused map[string]doubt // the paths of keys that are none, and of wrong values
	told    map[string]bool  // the paths of all that a fault is about
	values  []*source.Node
	lines   map[place]bool // on which such a key stands, perhaps twice
}

type place struct {
	file string
	line int
}

// doubt is why a value may be a secret that nobody asked for.
type doubt int

const (
	none     doubt = iota
	mistaken       // the value is none of its key's: a name that smells makes it one
	unknown        // there is no such key: so does one called value
)

// extraEnv are the variables of a service, which are from Secrets alone: whatever
// else somebody wrote there is most likely one.
const extraEnv = "extraEnv"

// walk looks below a key that is refused, and in extraEnv, for what may be secret.
func (h *hush) walk(n *source.Node, at fields.Path, above doubt) {
	h.loose(n, at, above)
	for _, f := range entriesOf(n) {
		below := at.Child(f.Key.Value)
		inside := max(above, h.refused[string(below)])
		switch {
		case f.Key.Value == extraEnv, inside == unknown && holdsVariables(f.Key.Value):
			h.holder(f.Value)
		case h.refused[string(below)] > none && smell.MatchString(f.Key.Value) && f.Value.Kind == source.Mapping:
			h.collect(f.Value)
		case h.told[string(below)] && smell.MatchString(f.Key.Value) && unlikeName(f.Value):
			h.collect(f.Value)
		case inside > none && smells(f.Key.Value), inside == unknown && f.Key.Value == "value":
			h.collect(f.Value)
		default:
			h.walk(f.Value, below, inside)
		}
	}
	if n != nil && n.Kind == source.Sequence {
		for i, item := range n.Items {
			h.walk(item, at.Index(i), max(above, h.refused[string(at.Index(i))]))
		}
	}
}

// loose collects the keys that hold a value too, for want of a blank or a colon.
func (h *hush) loose(n *source.Node, at fields.Path, above doubt) {
	if n == nil || n.Kind != source.Mapping {
		return
	}
	for _, f := range n.Fields {
		if max(above, h.refused[string(at.Child(f.Key.Value))]) > none && assigns(f.Key.Value) {
			h.collect(f.Key)
		}
	}
}

// holder collects a list of variables, and all of a map that stands in its place.
func (h *hush) holder(n *source.Node) {
	if n == nil || n.Kind != source.Mapping {
		h.variables(n)
		return
	}
	for _, f := range n.Fields {
		if !plainName.MatchString(f.Key.Value) {
			h.collect(f.Key)
		}
	}
	h.collect(n)
}

// variables collects all but the names and what refers to a Secret.
func (h *hush) variables(n *source.Node) {
	switch {
	case n == nil:
	case n.Kind == source.Sequence:
		for _, item := range n.Items {
			h.variables(item)
		}
	case n.Kind == source.Mapping:
		for _, f := range n.Fields {
			h.variable(f)
		}
	default:
		h.collect(n)
	}
}

// variable collects one entry of a variable, unless it is a name or refers to the
// key of a Secret.
func (h *hush) variable(f source.Field) {
	if !plainName.MatchString(f.Key.Value) {
		h.collect(f.Key)
	}
	switch {
	case slices.Contains([]string{"name", "key", "optional"}, f.Key.Value) && f.Value.Kind == source.Scalar && !unlikeName(f.Value):
	case slices.Contains([]string{"valueFrom", "secretKeyRef"}, f.Key.Value) && f.Value.Kind == source.Mapping:
		h.variables(f.Value)
	default:
		h.collect(f.Value)
	}
}

// plainName is what names of variables, of Secrets and of their keys are made of.
var plainName = regexp.MustCompile(`^[\w.-]*$`)

func unlikeName(n *source.Node) bool {
	return n.Kind == source.Scalar && !plainName.MatchString(n.Value)
}

func entriesOf(n *source.Node) []source.Field { return value{node: n}.entries() }

func (h *hush) collect(n *source.Node) {
	switch {
	case n == nil:
	case n.Kind == source.Scalar && n.Value != "":
		h.values = append(h.values, n)
	case n.Kind == source.Mapping:
		for _, f := range n.Fields {
			h.collect(f.Value)
		}
	default:
		for _, item := range n.Items {
			h.collect(item)
		}
	}
}

// fault hides the values in one: on their own line where they stand, and elsewhere
// wherever they are repeated.
func (h *hush) fault(f *faults.Fault) {
	if h.lines[place{f.File, f.Line}] && f.Line > 0 {
		f.Source = hushedLine(f.Source)
		if f.SourceFrom > 0 {
			f.Source = "" // it may begin within the value
		}
	}
	texts := [...]*string{&f.Key, &f.Field, &f.Message, &f.Found, &f.Expected, &f.Fix, &f.File, &f.Source}
	for _, n := range h.values {
		told := texts[:]
		if n.Pos.File != nil && n.Pos.File.Name == f.File && n.Pos.Line == f.Line && f.Line > 0 {
			f.Source = behind(f.Source, n.Pos.Column-max(f.SourceFrom-1, 0))
			told = texts[:len(texts)-1]
		}
		if len(n.Value) < leastTold {
			continue
		}
		for _, text := range told {
			*text = unsaid(*text, n.Value)
		}
	}
}

// leastTold is the length from which a value is looked for wherever it may be told.
const leastTold = 4

// unsaid hides a value in a text, as it is and as a quoted text has it, and its
// beginning where the text was cut off in it. A value of a few signs stands in many
// a text by chance, and is hidden on its own line only.
func unsaid(text, value string) string {
	if len(value) < leastTold {
		return text
	}
	quoted := strings.Trim(strconv.Quote(value), `"`)
	for _, form := range []string{value, quoted} {
		text = strings.ReplaceAll(text, form, stars(form))
		if cut := strings.Index(text, "…"); cut >= leastTold {
			text = text[:cut-begun(text[:cut], form)] + stars(text[cut-begun(text[:cut], form):cut]) + text[cut:]
		}
	}
	return text
}

// begun is the length of the longest beginning of a value, of four signs or more,
// that a text ends with.
func begun(text, value string) int {
	for n := min(len(text), len(value)); n >= leastTold; n-- {
		if strings.HasSuffix(text, value[:n]) && utf8.ValidString(value[:n]) {
			return n
		}
	}
	return 0
}

// behind hides a scalar that begins at a column of a line: one in quotes as far as
// they go, any other to the line's end, for where it ends only the parser knows.
func behind(line string, column int) string {
	runes := []rune(line)
	if column < 1 || column > len(runes) {
		return line
	}
	end := len(runes)
	if quote := runes[column-1]; quote == '"' || quote == '\'' {
		end = closing(runes, column-1)
	}
	return string(runes[:column-1]) + stars(string(runes[column-1:end])) + string(runes[end:])
}

// closing is behind the quote that ends the one at a place, which may be written
// twice or behind a backslash inside; the line's end where it goes on in the next.
func closing(runes []rune, from int) int {
	for i := from + 1; i < len(runes); i++ {
		switch {
		case runes[from] == '"' && runes[i] == '\\':
			i++
		case runes[i] == runes[from] && runes[from] == '\'' && i+1 < len(runes) && runes[i+1] == '\'':
			i++
		case runes[i] == runes[from]:
			return i + 1
		}
	}
	return len(runes)
}

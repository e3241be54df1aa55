package theme

import (
	"fmt"
	"strconv"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// form is the shape of one value.
type form interface {
	// read returns the value as the theme keeps it, or all that is wrong with it.
	read(text string, version string) (string, []problem)
	// code is that of a value which is no text at all.
	code() faults.Code
	// expected says in a few words what is taken, with an example.
	expected() string
	// quoting is the fix for an unquoted scalar that YAML takes for something else.
	quoting(n *source.Node) string
	// schema is the form in JSON Schema, for a kora of the given major.
	schema(major string) map[string]any
}

// problem is one thing that is wrong with a value; where it stands is added by
// the checker.
type problem struct {
	code            faults.Code
	message         string
	found, expected string
	fix             string
}

// notText returns what is wrong with a node that is no string of YAML.
func notText(f form, path string, n *source.Node) []problem {
	p := problem{code: f.code(), found: kindOf(n), expected: f.expected(), fix: f.quoting(n)}
	switch {
	case n.Kind != source.Scalar:
		p.message, p.fix = fmt.Sprintf("%s is %s, not a text", path, n.Kind), "write "+f.expected()
	case n.Null():
		p.message = path + " is empty"
	case n.AmbiguousBool():
		p.message, p.found = fmt.Sprintf("%s %s is a boolean to Helm, not a text", path, n.Value), n.Value
	case !source.Reads(n.Tag):
		return []problem{} // the tag is refused already
	case n.Tag != "!!str" && n.Tagged():
		p.message = fmt.Sprintf("%s is made %s by the tag %s", path, kindOf(n), n.Tag)
		p.found, p.fix = n.Tag+" "+shown(n.Value), "remove the tag, and write the text in quotes"
	case n.Tag != "!!str":
		p.message, p.found = fmt.Sprintf("%s %s is %s, not a text", path, shown(n.Value), kindOf(n)), shown(n.Value)
	default:
		return nil
	}
	return []problem{p}
}

// kindOf names what a node is to YAML.
func kindOf(n *source.Node) string {
	if n.Kind != source.Scalar {
		return n.Kind.String()
	}
	switch n.Tag {
	case "!!int", "!!float":
		return "a number"
	case "!!bool":
		return "a boolean"
	case "!!null":
		return "nothing"
	}
	return "a text"
}

// short is a text cut to what a message can hold, escaped where a reader would
// not see what stands there.
func short(text string) string {
	const most = 80
	cut := []rune(text)
	if len(cut) > most {
		return strconv.Quote(string(cut[:most])) + "…"
	}
	if q := strconv.Quote(text); text == "" || q[1:len(q)-1] != text {
		return q
	}
	return text
}

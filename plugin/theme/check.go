package theme

import (
	"fmt"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// checker walks a document beside the table.
type checker struct {
	file    *source.File
	version string
	theme   *Theme
	found   faults.List
}

func (c *checker) refuse(at source.Pos, path string, wrong ...problem) {
	for _, p := range wrong {
		f := at.Fault(p.code, p.message)
		f.Field, f.Found, f.Expected, f.Fix = path, p.found, p.expected, p.fix
		c.found = append(c.found, f)
	}
}

// entry judges the value n of a key. At is where to point when the value has
// no place of its own.
func (c *checker) entry(e entry, n *source.Node, at source.Pos, path string) {
	if !n.Null() {
		at = n.Pos
	}
	if e.form != nil {
		c.leaf(e, n, at, path)
		return
	}
	if n.Kind != source.Mapping || e.filled && len(n.Fields) == 0 {
		c.refuse(at, path, notMap(e, n))
		return
	}
	c.missing(e, n, at)
	for _, f := range n.Fields {
		c.field(e, f, path)
	}
}

func (c *checker) field(e entry, f source.Field, path string) {
	for _, known := range e.fields {
		if known.key == f.Key.Value {
			c.entry(known, f.Value, f.Key.Pos, below(path, known.key))
			return
		}
	}
	c.theme.Ignored = append(c.theme.Ignored, ignored(e, f, path))
}

func (c *checker) leaf(e entry, n *source.Node, at source.Pos, path string) {
	wrong := notText(e.form, path, n)
	if wrong == nil {
		c.theme.values[path], wrong = e.form.read(n.Value, c.version)
	}
	if strings.Contains(n.Value, "@") {
		at = unquoted(at)
	}
	c.refuse(at, path, wrong...)
	if path == "koraVersion" {
		c.theme.KoraVersion = n.Value
	}
}

// missing refuses a map that lacks a key it must have.
func (c *checker) missing(e entry, n *source.Node, at source.Pos) {
	for _, known := range e.fields {
		if known.required && n.Get(known.key) == nil {
			c.refuse(at, known.key, problem{
				code: known.form.code(), message: known.key + " is missing", found: "no " + known.key,
				expected: known.form.expected(), fix: "add the line " + known.key + ": " + fmt.Sprintf("%q", c.version),
			})
		}
	}
}

func notMap(e entry, n *source.Node) problem {
	p := problem{code: faults.ThemeShape, found: kindOf(n), expected: "a map with " + keys(e)}
	switch name := nameOf(e); {
	case n.Kind == source.Mapping:
		p.message, p.found = name+" is an empty map", "an empty map"
	case n.Null():
		p.message = name + " is empty"
	default:
		p.message = fmt.Sprintf("%s is %s, not a map", name, kindOf(n))
	}
	p.fix = "write " + p.expected
	if e.key != "" {
		p.fix += " below " + e.key + ", or remove the key"
	}
	return p
}

func nameOf(e entry) string {
	if e.key == "" {
		return "the theme"
	}
	return e.key
}

// keys lists what a map can hold; of a pair of modes one is enough.
func keys(e entry) string {
	var names []string
	for _, f := range e.fields {
		names = append(names, f.key)
	}
	last := len(names) - 1
	if last == 1 {
		return names[0] + ", " + names[1] + " or both"
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

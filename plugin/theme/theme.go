package theme

import (
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// Theme is a document that was accepted. Only Parse makes one.
type Theme struct {
	// KoraVersion is the release that the theme was written against.
	KoraVersion string
	// Ignored are the entries that this version does not know, in the order of
	// the document (R34).
	Ignored []Ignored

	values map[string]string // by the path of the setting
}

// Ignored is an entry that this version of kora does not know.
type Ignored struct {
	// Path names the entry as messages do, fit for a terminal: what does not
	// print is escaped.
	Path string
	// Near is the path of a known entry that was most likely meant, else empty.
	Near string
	// Pos is where its key stands.
	Pos source.Pos
}

// ProductName is the name in normal form C, empty where it is kora's.
func (t *Theme) ProductName() string { return t.values["productName"] }

// Value returns what the theme sets at a path such as "slots.logo.dark", empty
// where the default stays.
func (t *Theme) Value(path string) string { return t.values[path] }

// Defaults returns the settings that the theme leaves at kora's default, in
// the order of Settings.
func (t *Theme) Defaults() []Setting {
	var out []Setting
	for _, s := range Settings() {
		if t.values[s.Path] == "" {
			out = append(out, s)
		}
	}
	return out
}

// Parse reads a theme document for a running kora of the given version, such
// as "1.4.0" (R32 to R34). All faults are returned at once; the theme is nil
// when one of them refuses the document. A mix of two brands is a warning.
func Parse(file *source.File, version string) (*Theme, faults.List) {
	c := &checker{file: file, version: version, theme: &Theme{values: map[string]string{}}}
	if root := c.read(); root != nil {
		c.entry(document(), root, root.Pos, "")
		if !c.found.Refused() {
			c.identity(root) // a value that was refused is not left at the default
		}
	}
	for i := range c.found {
		c.found[i] = hushed(c.found[i])
	}
	if c.found.Refused() {
		return nil, c.found.Sorted()
	}
	return c.theme, c.found.Sorted()
}

// Validate is Parse for those who only want to know what is wrong.
func Validate(file *source.File, version string) faults.List {
	_, found := Parse(file, version)
	return found
}

// major is the part of a version before its first dot.
func major(version string) string {
	m, _, _ := strings.Cut(version, ".")
	return m
}

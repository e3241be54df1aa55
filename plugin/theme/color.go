package theme

import (
	"regexp"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// colorForm is a colour: only the forms that mean nothing else in a style
// sheet (R32).
type colorForm struct{}

const colorText = `^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$`

var colorPattern = regexp.MustCompile(colorText)

func (colorForm) code() faults.Code { return faults.ThemeColor }
func (colorForm) expected() string  { return `"#rgb", "#rrggbb" or "#rrggbbaa" in quotes` }

// quoting: the usual way to an empty colour is a "#" that starts a comment.
func (colorForm) quoting(n *source.Node) string {
	if n.Null() {
		return "quote the colour: an unquoted # starts a comment in YAML"
	}
	return `put # before the digits and quote all of it, such as "#1a2b3c"`
}

func (f colorForm) read(text, _ string) (string, []problem) {
	if colorPattern.MatchString(text) {
		return text, nil
	}
	return "", []problem{{
		code: faults.ThemeColor, message: "not a colour in hexadecimal form", found: shown(text),
		expected: f.expected(), fix: "write 3, 6 or 8 hexadecimal digits behind a #",
	}}
}

func (colorForm) schema(string) map[string]any {
	return map[string]any{"type": "string", "pattern": colorText}
}

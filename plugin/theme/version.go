package theme

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// versionForm is koraVersion: a string MAJOR.MINOR.PATCH of the major that
// runs (R32, R34).
type versionForm struct{}

const versionRest = `\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$`

var versionPattern = regexp.MustCompile(`^(0|[1-9][0-9]*)` + versionRest)

func (versionForm) code() faults.Code { return faults.ThemeVersion }
func (versionForm) expected() string  { return `a quoted MAJOR.MINOR.PATCH such as "1.4.0"` }

// quoting: 1.4 is a number to YAML, and quoted it still lacks its patch.
func (versionForm) quoting(n *source.Node) string {
	text := n.Value
	if strings.Count(text, ".") == 1 {
		text += ".0"
	}
	if !versionPattern.MatchString(text) {
		return `write it in quotes: koraVersion: "1.4.0"`
	}
	return fmt.Sprintf("quote it, with all three parts: koraVersion: %q", text)
}

func (f versionForm) read(text, version string) (string, []problem) {
	if !versionPattern.MatchString(text) {
		return "", []problem{{
			code: faults.ThemeVersion, message: "koraVersion is not MAJOR.MINOR.PATCH", found: shown(text),
			expected: f.expected(), fix: "write the three numbers alone: no v, no pre-release, no leading zeros",
		}}
	}
	if major(text) != major(version) {
		return "", []problem{{
			code: faults.ThemeMajor, message: fmt.Sprintf("the theme was written against kora %s, and this is kora %s", shown(major(text)), major(version)),
			found: shown(text), expected: major(version) + ".MINOR.PATCH",
			fix: fmt.Sprintf("reissue the theme for this major: check it against the schema of kora %s, then set koraVersion: %q", version, version),
		}}
	}
	return text, nil
}

func (versionForm) schema(major string) map[string]any {
	return map[string]any{
		"type": "string", "pattern": `^` + regexp.QuoteMeta(major) + versionRest,
	}
}

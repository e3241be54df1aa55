package values

import (
	"regexp"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/fields"
)

// What is hidden by the text of a line alone, where the parser could not say what a
// value is (R20, R22).

// holders are the keys that people write variables, arguments and headers under:
// extraEnv, and what they take it for.
var holders = []string{"extraenv", "env", "envs", "envvars", "environment", "args", "arguments"}

// holdsVariables reports whether a key's name is one of them, or nearly extraEnv.
func holdsVariables(name string) bool {
	return slices.Contains(holders, strings.ToLower(name)) || fields.Nearest(name, []string{extraEnv, "environment"}) != ""
}

var word = regexp.MustCompile(`[\w-]+`)

// guarded reports whether a line names something that what follows is not shown of.
func guarded(line string) bool {
	return slices.ContainsFunc(word.FindAllString(line, -1), func(w string) bool { return smells(w) || holdsVariables(w) })
}

// assigned is a name with what it is set to, as in a shell.
var assigned = regexp.MustCompile(`([\w.-]+)=([^\s"'][^\r\n]*)`)

// withoutAssigned hides what a name that smells is set to, to the end of the line.
func withoutAssigned(text string) string {
	for _, at := range assigned.FindAllStringSubmatchIndex(text, -1) {
		if smells(lastName(text[at[2]:at[3]])) {
			text = text[:at[4]] + stars(text[at[4]:at[5]]) + text[at[5]:]
			break
		}
	}
	if at := strings.Index(text, "-----BEGIN"); at >= 0 {
		text = text[:at] + stars(text[at:])
	}
	return text
}

// loose is a key and its value that a blank, or the blank behind the colon, is
// missing between.
var loose = regexp.MustCompile(`^["']?([\w.-]+)["']?[\s:=]+\S`)

// assigns reports whether a text is a name that smells and what it is set to.
func assigns(text string) bool {
	m := loose.FindStringSubmatch(text)
	return m != nil && smells(lastName(m[1]))
}

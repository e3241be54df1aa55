package values

import (
	"regexp"
	"slices"
	"strings"
)

// withoutValue hides what stands behind a key called value, to the end of the line:
// whose it is, another line may tell. It stays where the line tells that it is no
// variable's, or where the fault is about it alone, and about no variable.
func withoutValue(line string, column int, variable bool) string {
	all := patchValue.FindAllStringIndex(line, -1)
	for _, at := range all {
		about := len(all) == 1 && aboutValue(line, at[1], column)
		if variable || !about && !harmlessValue(line[:at[0]], line[at[1]:]) {
			return line[:at[1]] + stars(line[at[1]:])
		}
	}
	return line
}

// aboutValue reports whether a fault at a column is about the whole of a value: it
// begins there, or is a map of the one key that does.
func aboutValue(line string, from, column int) bool {
	before := len([]rune(line[:from]))
	return before == column-1 || before == column-2 && oneKey.MatchString(line[from:])
}

// harmlessValue reports whether an operation of a JSON patch sets one word or number
// at a path that is told before it on its line, and that leads to no variable, no
// argument, and nothing whose name smells.
func harmlessValue(before, value string) bool {
	at := operationPath.FindAllStringSubmatch(before[strings.LastIndexByte(before, '{')+1:], -1)
	if len(at) != 1 || !oneWord.MatchString(value) {
		return false
	}
	return !slices.ContainsFunc(strings.Split(at[0][1], "/"), func(step string) bool { return smells(step) || holdsWords(step) })
}

// holdsWords reports whether a field of a container holds variables or arguments.
func holdsWords(name string) bool { return slices.Contains([]string{"env", "args", "command"}, name) }

var (
	operationPath = regexp.MustCompile(`\bpath["'\\]*[ \t]*:[ \t]*["'\\]*(/[\w./~-]*)["'\\]*[ \t]*,`)
	oneKey        = regexp.MustCompile(`^\{[\w./-]+:[ \t]+[\w.-]+\}[ \t]*$`)
	oneWord       = regexp.MustCompile(`^["'\\]*[\w.-]+["'\\]*[ \t]*(?:[,}]|$)`)
)

package values

import "regexp"

// behindKey hides what stands behind the key at a column of a line, or all of it
// where there is none.
func behindKey(line string, column int) string {
	runes := []rune(line)
	if column < 1 || column > len(runes) {
		return line
	}
	shown := column - 1 + len([]rune(keyOfLine(line, column)))
	if mark := keyMark.FindString(string(runes[shown:])); shown >= column {
		shown += len([]rune(mark))
	}
	return string(runes[:shown]) + stars(string(runes[shown:]))
}

// keyOfLine is the key at a column of a line, empty where none is.
func keyOfLine(line string, column int) string {
	runes := []rune(line)
	if column < 1 || column > len(runes) {
		return ""
	}
	if m := keyAt.FindStringSubmatch(string(runes[column-1:])); m != nil {
		return m[1]
	}
	return ""
}

var (
	keyAt   = regexp.MustCompile(`^(["']?[\w./$-]+["']?)[ \t]*:(?:[ \t]+|$)`)
	keyMark = regexp.MustCompile(`^[ \t]*:[ \t]*`)
)

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

// inPatch is the name of a variable or the value of one, in the text of a patch.
var inPatch = regexp.MustCompile(`name["']?[ \t]*:[ \t]*["'\\]*([\w.-]+).*?value["\\']*[ \t]*:[ \t]*`)

// hushedPatch hides the value of a variable whose name smells, and what stands
// behind a key that does.
func hushedPatch(line string) string {
	for _, at := range inPatch.FindAllStringSubmatchIndex(line, -1) {
		if smells(line[at[2]:at[3]]) {
			line = line[:at[1]] + stars(line[at[1]:])
			break
		}
	}
	if at := arguments.FindStringIndex(line); at != nil && guarded(line[at[1]:]) {
		line = line[:at[1]] + stars(line[at[1]:])
	}
	return hushedLine(line)
}

// arguments are the keys of lists in which a value stands behind its name.
var arguments = regexp.MustCompile(`\b(?:args|command)["']?[ \t]*:[ \t]*`)

var patchValue = regexp.MustCompile(`\bvalue["'\\]*[ \t]*:[ \t]*`)

// hushedBroken is hushedPatch of one that is no YAML: of whom a value is, is not known.
func hushedBroken(line string) string {
	if at := patchValue.FindStringIndex(line); at != nil {
		line = line[:at[1]] + stars(line[at[1]:])
	}
	return hushedPatch(line)
}

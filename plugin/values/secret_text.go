package values

import (
	"regexp"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
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

// unread hides lines of a file that is no YAML as it should be: of a line that
// belongs to a key that smells, or may, all of it, and of another what stands behind
// such a key.
func unread(f *source.File, found faults.List) faults.List {
	for i := range found {
		line := found[i].Line
		switch {
		case line < 1 || !strings.HasPrefix(string(found[i].Code), "KORA-Y"):
		case enclosed(f, line):
			found[i].Source = shapeless(found[i].Source)
			unseen(&found[i])
		case found[i].SourceFrom > 0 && guarded(f.Line(line)):
			found[i].Source = ""
			unseen(&found[i])
		case guarded(f.Line(line)):
			found[i].Source = hushedSyntax(found[i].Source)
			unseen(&found[i])
		}
	}
	return found
}

// enclosed reports whether a line above, as far as the blanks before them tell, is
// a key's that this one may belong to. The nearest lines count however deep they
// are: a text may go on in a column that it should not.
func enclosed(f *source.File, line int) bool {
	limit, first := blanksBefore(f.Line(line)), true
	for above := line - 1; above > 0 && (first || limit > 0); above-- {
		text := f.Line(above)
		if strings.TrimSpace(text) == "" {
			continue
		}
		deep := blanksBefore(text)
		if (first || deep < limit) && guarded(text) {
			return true
		}
		if deep <= limit {
			limit, first = deep, false
		}
	}
	return false
}

func blanksBefore(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// shapeless keeps the blanks that a line begins with.
func shapeless(line string) string {
	from := blanksBefore(line)
	return line[:from] + stars(line[from:])
}

var quotedText = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|anchor '[^']*'`)

// unseen takes out of the other texts of a fault what its line does not show.
func unseen(f *faults.Fault) {
	f.Message = quotedText.ReplaceAllStringFunc(f.Message, func(text string) string {
		if strings.Contains(f.Source, strings.Trim(strings.TrimPrefix(text, "anchor "), `"'`)) {
			return text
		}
		return cutOff
	})
	if !strings.Contains(f.Source, f.Found) {
		f.Found = ""
	}
	if !strings.Contains(f.Source, lastName(f.Field)) {
		f.Field = ""
	}
}

// hushedSyntax is hushedLine, and hides what stands behind extraEnv too.
func hushedSyntax(line string) string {
	for _, at := range secretLine.FindAllStringSubmatchIndex(line, -1) {
		if name := lastName(line[at[2]:at[3]]); smells(name) || holdsVariables(name) {
			return line[:at[1]] + stars(line[at[1]:])
		}
	}
	return line
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

package values

import (
	"regexp"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

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

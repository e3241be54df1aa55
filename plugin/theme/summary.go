package theme

import (
	"fmt"
	"strings"
)

// Summary says of an accepted theme what R36 asks for: every entry that this
// version ignores and every value that is left at kora's default, a line each.
func (t *Theme) Summary() string {
	var b strings.Builder
	fmt.Fprintf(&b, "accepted: a theme for kora %s, written against %s\n", major(t.KoraVersion), t.KoraVersion)
	for _, i := range t.Ignored {
		fmt.Fprintf(&b, "ignored: %s at %d:%d%s\n", i.Path, i.Pos.Line, i.Pos.Column, i.hint())
	}
	for _, s := range t.Defaults() {
		fmt.Fprintf(&b, "default: %s%s\n", s.Path, s.mark())
	}
	return b.String()
}

func (i Ignored) hint() string {
	if i.Near == "" {
		return ", not known to this version"
	}
	return ", did you mean " + i.Near + "?"
}

func (s Setting) mark() string {
	if s.Identity {
		return " (identity)"
	}
	return ""
}

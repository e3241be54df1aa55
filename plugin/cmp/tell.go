package cmp

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/runkora/kora/internal/faults"
)

// Headline is the first line of what is said when an application was refused.
// Argo CD's UI puts it behind the command and its status, and cuts long texts, so
// it says what is wrong and how many things are, and the faults follow.
func (o Output) Headline() string {
	what := "the application"
	if o.App != "" {
		what = fmt.Sprintf("application %q", o.App)
	}
	first := firstError(o.Found)
	at := first.AtLine()
	if at != "" {
		at = fmt.Sprintf(" in %q", short(at))
	}
	n := o.Found.Sorted().Errors()
	if n == 1 {
		return fmt.Sprintf("kora cannot render %s: %s%s", what, brief(first.Message), at)
	}
	return fmt.Sprintf("kora cannot render %s: %d errors, the first%s: %s", what, n, at, brief(first.Message))
}

// brief is a message as a part of one line.
func brief(message string) string {
	const most = 160
	text := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, message)
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// firstError is the first that refuses, in the order in which they are told.
func firstError(found faults.List) faults.Fault {
	for _, f := range found.Sorted() {
		if f.Severity != faults.Warning {
			return f
		}
	}
	return faults.Fault{}
}

package main

import (
	"regexp"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/values"
)

// repeats are the parser's messages that hold a word of the file: a password that
// begins with * or ! is an anchor or a tag to it.
var repeats = regexp.MustCompile(`anchor '|tag |key "`)

// placed are faults of values files that nobody looked through for secrets: the
// place of each, and never its line (R17).
func placed(found faults.List) faults.List {
	for i := range found {
		f := &found[i]
		f.Source, f.SourceFrom = "", 0
		unrepeated(f)
	}
	return values.Unjudged(found)
}

// unrepeated leaves of the parser's message what the catalogue says.
func unrepeated(f *faults.Fault) {
	if entry, ok := faults.Lookup(f.Code); ok && strings.HasPrefix(string(f.Code), "KORA-Y") && repeats.MatchString(f.Message) {
		f.Message = entry.Title
	}
}

// confidedBeside are words that a line of an Application may have beside a chart's values or
// the variables of a plugin, which hold passwords against all advice.
var confidedBeside = regexp.MustCompile(`(?i)value|param|plugin|\benv\b`)

// linted are faults of Applications, without the lines that may hold a secret, and
// without the values that an Application gives a chart or a plugin (R17).
func linted(found faults.List) faults.List {
	for i := range found {
		f := &found[i]
		if strings.HasPrefix(string(f.Code), "KORA-Y") || confidedBeside.MatchString(f.Source) {
			f.Source, f.SourceFrom = "", 0
		}
		if f.Code == faults.WrongType && (strings.Contains(f.Field, ".helm.") || strings.Contains(f.Field, ".plugin.")) {
			f.Found, f.Fix = "", "" // both repeat the value
		}
		unrepeated(f)
	}
	return values.Unjudged(found)
}

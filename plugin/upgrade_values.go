package main

import (
	"io"
	"strings"

	"github.com/runkora/kora/generator/upgrade"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// layers reads values files in the order of the command line. Files without
// content are no values, which is not the same as no files: those are nil.
func layers(stdin io.Reader, names []string, clean func(string) string) (upgrade.Values, faults.List) {
	if len(names) == 0 {
		return nil, nil
	}
	out := upgrade.Values{}
	var found faults.List
	for _, name := range names {
		text, more := readText(stdin, name, source.DefaultLimits.Bytes)
		found = append(found, more...)
		if more.Refused() {
			continue
		}
		docs, more := source.Parse(source.NewFile(name, clean(text)), source.DefaultLimits)
		found = append(found, more...)
		for _, doc := range docs {
			if doc.Kind != source.Mapping && !doc.Null() {
				found = append(found, noMap(doc))
				continue
			}
			out = append(out, upgrade.LayerOf(doc))
		}
	}
	return out, found
}

// noMap is a file that holds no values, which is not the same as one without any.
func noMap(doc *source.Node) faults.Fault {
	f := doc.Pos.Fault(faults.WrongType, "a values file holds a map of keys to values")
	f.Found, f.Expected = doc.Kind.String(), source.Mapping.String()
	return f
}

func asItIs(text string) string { return text }

// withoutTitle blanks the line that helm get values puts before what it prints
// as a table, which is not YAML of the values; places stay.
func withoutTitle(text string) string {
	first, rest, more := strings.Cut(text, "\n")
	switch strings.TrimSpace(first) {
	case "USER-SUPPLIED VALUES:", "COMPUTED VALUES:":
	default:
		return text
	}
	if !more {
		return ""
	}
	return "\n" + rest
}

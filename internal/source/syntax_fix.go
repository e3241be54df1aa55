package source

import "github.com/runkora/kora/internal/faults"

// remedies say what to do about what the YAML parser says, by a part of it.
var remedies = []struct{ says, fix string }{
	{"unknown anchor", "define the anchor above with &, or quote a text that begins with *"},
	{"mapping values", `quote a text that holds ": ", or indent the key like those beside it`},
	{"expected key", "indent the line like the keys beside it, or quote the text before it"},
	{"'-' indicator", `indent the line under its list item, or begin it with "- "`},
	{"',' or '}'", "close the { with a }, or write the comma that is missing"},
	{"',' or ']'", "close the [ with a ], or write the comma that is missing"},
	{"expected ':'", "write a key and a value, or indent the line when it goes on with the one above"},
	{"tab character", "indent with spaces"},
	{"end of stream", "close the quote"},
	{"document indicator", "close the quote before ---"},
	{"escape", "write the backslash twice, or use single quotes"},
	{"hexdecimal", "write the backslash twice, or use single quotes"},
	{"control characters", "remove the character, or write it as an escape in double quotes"},
	{"surrogate", "save the file as UTF-8"},
	{"octet", "save the file as UTF-8"},
	{"node content", "write a value, or quote the text"},
	{"block sequence", "begin the list on a line of its own, or quote the text"},
	{"mapping keys", "quote the text"},
	{"alphabetic or numeric", "quote the text"},
	{"tag", "remove the tag, or quote a text that begins with !"},
	{"'>'", "remove the tag, or quote a text that begins with !"},
	{"comment or line break", "write | or > alone on its line and the text below"},
	{"indentation indicator", "write | or > alone on its line and the text below"},
	{"document start", "begin a further document with ---"},
	{"directive", "quote a text that begins with %"},
	{"YAML document", "remove the %YAML line"},
}

// fix is the remedy at a place.
func (b breach) fix(line, column int) string {
	if b.says("cannot start any token") {
		if b.at(mark{line - 1, column - 1}) == "\t" {
			return "indent with spaces"
		}
		return "quote the text: YAML keeps its first character for itself"
	}
	for _, r := range remedies {
		if b.says(r.says) {
			return r.fix
		}
	}
	entry, _ := faults.Lookup(faults.YAMLSyntax)
	return entry.Fix
}

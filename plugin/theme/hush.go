package theme

import (
	"regexp"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// secretive finds a line of the document that may hold credentials, also when
// their sign is written as an escape of YAML, or a query with a token.
var secretive = regexp.MustCompile(`@|\\[xuU]0*40|://\S*[?#]`)

// hidden is a text without anything before its last "@": what stands there may
// be credentials, wherever a reader of URLs would end them.
func hidden(text string) string {
	if i := strings.LastIndexByte(text, '@'); i >= 0 {
		return "***" + text[i:]
	}
	return text
}

// shown is a value as a fault may repeat it.
func shown(text string) string { return short(hidden(text)) }

// shownURL is a URL as a fault may repeat it: a query may hold a token.
func shownURL(text string) string {
	text = hidden(text)
	if i := strings.IndexAny(text, "?#"); i >= 0 {
		text = text[:i] + text[i:i+1] + "…"
	}
	return short(text)
}

// hushed returns the fault without anything that a URL may hold in confidence:
// logs and reports are read by more people than the document (R33). The line
// is left out as a whole, since a caret under a changed one would lie.
func hushed(f faults.Fault) faults.Fault {
	if secretive.MatchString(f.Source) {
		f.Source = ""
	}
	if strings.HasPrefix(string(f.Code), "KORA-Y") { // these repeat keys and tags
		f.Message, f.Found = hidden(f.Message), hidden(f.Found)
	}
	return f
}

// unquoted is a place whose line no fault repeats: a value of several lines
// may show the first half of its credentials there.
func unquoted(p source.Pos) source.Pos {
	if p.File == nil {
		return p
	}
	file := source.NewFile(p.File.Name, "")
	file.Key = p.File.Key
	p.File = file
	return p
}

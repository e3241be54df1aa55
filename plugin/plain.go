package main

import (
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/values"
)

// plain is a text of several lines as it may stand on a terminal and in a log: what a
// terminal would obey is written out, and no user of a URL stands in it, whatever
// flag or file it came from (R17).
func plain(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		shown := values.Finished(faults.List{{Message: line}})
		lines[i] = faults.Visible(shown[0].Message)
	}
	return strings.Join(lines, "\n")
}

package preflight

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Plain keeps what a cluster says on one line, and writes out what a terminal
// obeys and what nobody sees, such as \x1b and \u202e.
func Plain(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == '\n' || r == '\t':
			b.WriteByte(' ')
		case strconv.IsPrint(r) && r != '\ufffd':
			b.WriteRune(r)
		case r == '\ufffd' && !strings.HasPrefix(text[i:], "\ufffd"): // a byte that is no UTF-8
			fmt.Fprintf(&b, `\x%02x`, text[i])
		default:
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}

// visibleJSON writes the same characters out as JSON does, where they stand in a
// text: outside of one there are none but line breaks.
func visibleJSON(text []byte) []byte {
	var b strings.Builder
	for _, r := range string(text) {
		switch {
		case r == '\n' || strconv.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return []byte(b.String())
}

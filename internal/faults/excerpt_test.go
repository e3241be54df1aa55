package faults

import (
	"strings"
	"testing"
)

func TestCaretStandsUnderTheColumn(t *testing.T) {
	for _, c := range []struct {
		name, source string
		column       int
		line, lead   string
	}{
		{"plain", "a: b", 4, "a: b", "   "},
		{"tab stays a tab", "\ta: b", 5, "\ta: b", "\t   "},
		{"wide rune is two cells", "日本: b", 3, "日本: b", "    "},
		{"combining mark is none", "e\u0301: b", 5, "e\u0301: b", "   "},
		{"control character as drawn", "\x1b[2J: b", 2, `\x1b[2J: b`, "    "},
		{"byte that is not UTF-8 as drawn", "\xff: b", 2, `\xff: b`, "    "},
		{"behind the end", "a: b", 99, "a: b", "    "},
		{"first line only", "a: b\r\nc: d", 1, "a: b", ""},
		{"column unknown", "a: b", 0, "a: b", ""},
		{"column nonsense", "a: b", -7, "a: b", ""},
		{"nothing", "", 3, "", ""},
	} {
		line, lead := excerpt(c.source, c.column)
		if line != c.line || lead != c.lead {
			t.Errorf("%s: %q, %q, want %q, %q", c.name, line, lead, c.line, c.lead)
		}
	}
}

func TestLongLineIsCutAroundTheColumn(t *testing.T) {
	source := strings.Repeat("a", 500) + "X" + strings.Repeat("b", 500)
	for _, c := range []struct {
		column     int
		line, lead string
	}{
		{1, strings.Repeat("a", 100) + "…", ""},
		{501, "…" + strings.Repeat("a", 50) + "X" + strings.Repeat("b", 49) + "…", strings.Repeat(" ", 51)},
		{1001, "…" + strings.Repeat("b", 100), strings.Repeat(" ", 100)},
		{1002, "…" + strings.Repeat("b", 100), strings.Repeat(" ", 101)},
	} {
		line, lead := excerpt(source, c.column)
		if line != c.line || lead != c.lead {
			t.Errorf("column %d: %q, %q", c.column, line, lead)
		}
	}
}

func TestLineOfTheWindowsLengthIsWhole(t *testing.T) {
	source := strings.Repeat("a", window)
	if line, lead := excerpt(source, window); line != source || len(lead) != window-1 {
		t.Errorf("%q, %q", line, lead)
	}
}

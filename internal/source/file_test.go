package source

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/runkora/kora/internal/faults"
)

// R13: the column counts runes, whatever stands before it, on a line of any
// length; and an offset becomes a place and the place the offset again.
func TestPlacesOfALongLineAreExact(t *testing.T) {
	text := "é\n" + strings.Repeat("日 ö\t", 1000) + "\r" + strings.Repeat("x", 300) + "\n\nend"
	f := NewFile("a", text)
	line, column := 1, 1
	for off, r := range text {
		if l, c := f.place(off); l != line || c != column {
			t.Fatalf("offset %d at %d:%d, want %d:%d", off, l, c, line, column)
		}
		if r != '\n' && r != '\r' {
			if got := f.offset(line, column); got != off {
				t.Fatalf("%d:%d at offset %d, want %d", line, column, got, off)
			}
			column++
			continue
		}
		line, column = line+1, 1
	}
}

// R15, security.md: a fault on a long line costs, and shows, a part of it.
func TestFaultOnALongLineHoldsAPartOfIt(t *testing.T) {
	f := NewFile("a.json", "{\n"+strings.Repeat("ö", 5000)+"X"+strings.Repeat("ü", 5000)+"\n}")
	for column, at := range map[int]string{1: "ö", 5001: "X", 10001: "ü", 9_999_999: ""} {
		got := f.At(2, column).Fault(faults.UnknownField, "x")
		if n := utf8.RuneCountInString(got.Source); n > 2*aside || got.SourceFrom == 0 {
			t.Errorf("column %d: %d runes from %d", column, n, got.SourceFrom)
		}
		runes := []rune(got.Source)
		if i := column - got.SourceFrom; at != "" && string(runes[i]) != at {
			t.Errorf("column %d: %q", column, runes[i])
		}
	}
	if got := f.At(1, 1).Fault(faults.UnknownField, "x"); got.Source != "{" || got.SourceFrom != 0 {
		t.Errorf("%+v", got)
	}
}

// A part of a line may begin or end within a credential, and then nobody would
// know it for one.
func TestLongLineWithACredentialIsNotShown(t *testing.T) {
	for _, sign := range []string{"https://user:secret@host", `user:secret\u0040host`, `otlpEndpoint`, "user:secret@host"} {
		line := strings.Repeat("a", 500) + sign + strings.Repeat("b", 500)
		for _, column := range []int{1, 400, 515, 900} {
			if got := NewFile("a", line).At(1, column).Fault(faults.UnknownField, "x"); got.Source != "" {
				t.Errorf("%s: %q", sign, got.Source)
			}
		}
	}
}

// R13: whatever ends the lines, a fault stands on the line that an editor shows.
func TestPlacesByEveryLineEnd(t *testing.T) {
	const text = "target: {kind: Pod}\npatch: |\n  a: é\n\n  b:\n    typo: 1\nquoted: \"a\n  b\n\n  typo\"\n"
	for name, end := range map[string]string{"LF": "\n", "CRLF": "\r\n", "CR": "\r", "NEL": "\u0085", "LS": "\u2028", "PS": "\u2029"} {
		t.Run(name, func(t *testing.T) {
			doc := parseOne(t, strings.ReplaceAll(text, "\n", end))
			for key, want := range map[string]string{"patch": "6:5", "quoted": "10:3"} {
				inner := Embed(doc.Get(key), "")
				pos := inner.At(inner.place(strings.Index(inner.Text(), "typo")))
				if at := fmt.Sprintf("%d:%d", pos.Line, pos.Column); at != want {
					t.Errorf("%s at %s, want %s", key, at, want)
				}
				if f := pos.Fault(faults.UnknownField, ""); !strings.HasPrefix(strings.TrimSpace(f.Source), "typo") {
					t.Errorf("%s shows %q", key, f.Source)
				}
			}
			if at := doc.Field("quoted").Key.Pos; at.Line != 7 || at.Column != 1 {
				t.Errorf("quoted at %+v", at)
			}
		})
	}
}

// A mark of the byte order is no part of the text, and UTF-16 is read.
func TestEncodingsGiveTheSamePlaces(t *testing.T) {
	const text = "a: é\n日: 𝕏 x\nb: {c: 1, c: 2}\n"
	for name, raw := range map[string]string{
		"UTF-8": text, "UTF-8 with a mark": "\ufeff" + text,
		"UTF-16 LE": asUTF16(text, 0), "UTF-16 BE": asUTF16(text, 1),
	} {
		_, found := Parse(NewFile("a", raw), DefaultLimits)
		if len(found) != 1 || found[0].Line != 3 || found[0].Column != 11 || found[0].Source != "b: {c: 1, c: 2}" {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// asUTF16 encodes text with a mark, the low byte at index low first.
func asUTF16(text string, high int) string {
	var out []byte
	for _, r := range "\ufeff" + text {
		units := []rune{r}
		if r > 0xffff {
			units = []rune{0xd800 + (r-0x10000)>>10, 0xdc00 + (r-0x10000)&0x3ff}
		}
		for _, u := range units {
			two := [2]byte{byte(u), byte(u >> 8)}
			out = append(out, two[high], two[1-high])
		}
	}
	return string(out)
}

func TestBrokenUTF16IsRefused(t *testing.T) {
	for _, raw := range []string{"\xff\xfea", "\xff\xfe\x00\xd8a\x00", "\xff\xfea\x00\x00\xd8", "\xff\xfe\x00\xdca\x00", "a\x00:\x00"} {
		docs, found := Parse(NewFile("a", raw), DefaultLimits)
		if len(docs) > 0 || len(found) != 1 || found[0].Code != faults.YAMLSyntax || found[0].Fix == "" || found[0].Line != 1 {
			t.Errorf("%q: %d documents, %+v", raw, len(docs), found)
		}
	}
}

// The limit is on what is on disk: a reader that stops there must never make a
// whole document of the first half.
func TestSizeOfUTF16CountsItsBytes(t *testing.T) {
	l := DefaultLimits
	l.Bytes = 20
	if _, found := Parse(NewFile("a", asUTF16("a: 1234567890", 0)), l); len(found) != 1 || found[0].Code != faults.YAMLLimit {
		t.Errorf("%+v", found)
	}
}

// A fault at every word of a line of a megabyte.
func BenchmarkFaultsOfOneLine(b *testing.B) {
	var text strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&text, `"ä%06d": 1, `, i)
	}
	f := NewFile("a.json", text.String())
	for b.Loop() {
		for i := range 60_000 {
			f.At(1, 14*i+1).Fault(faults.UnknownField, "x")
		}
	}
}

// security.md: a scalar of any shape is aligned in one pass over its text.
func BenchmarkEmbed(b *testing.B) {
	for name, text := range map[string]string{
		"literal":       "patch: |\n" + strings.Repeat("  a: 1\n", 100_000),
		"folded blanks": "patch: >\n  a\n" + strings.Repeat(" \n", 300_000) + "  b\n",
		"quoted blanks": `patch: "` + strings.Repeat(" ", 900_000) + `x"`,
		"one long line": `patch: "` + strings.Repeat(`{\"a\": 1}, `, 80_000) + `"`,
	} {
		docs, _ := Parse(NewFile("a", text), DefaultLimits)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Embed(docs[0].Get("patch"), "")
			}
		})
	}
}

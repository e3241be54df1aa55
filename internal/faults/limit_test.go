package faults

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// security.md: what a stranger's file says is shown in part, in every format.
func TestNoTextOfAFaultIsPrintedWhole(t *testing.T) {
	long := strings.Repeat("é, ", 30_000) + "end"
	list := List{build(UnknownField, long, Fault{
		File: "a" + long, Key: long, Object: long, Field: long, Found: long, Expected: long, Fix: long,
	})}
	for _, format := range Formats() {
		out := printed(t, format, Options{}, list)
		if len(out) > 16<<10 || !strings.Contains(string(out), "end") || !strings.Contains(string(out), "…") {
			t.Errorf("%s: %d bytes: %.400s", format, len(out), out)
		}
	}
}

func TestTextIsCutInTheMiddle(t *testing.T) {
	for _, c := range [][2]string{
		{"", ""}, {"12345678", "12345678"}, {"123456789", "1234…789"}, {"日本語日本語日本", "日本語日本語日本"},
		{"日本語日本語日本語", "日本語日…日本語"}, {strings.Repeat("a", 1<<20) + "\xff", "aaaa…aa\xff"},
	} {
		got := middle(c[0], 8)
		if got != c[1] || utf8.RuneCountInString(got) > 8 {
			t.Errorf("%.20q: %q, want %q", c[0], got, c[1])
		}
	}
}

// R15: people see the first, how many more there are and the true counts;
// programs see all.
func TestTextShowsTheFirstFaultsAndCountsAll(t *testing.T) {
	var list List
	for i := range 1000 {
		list = append(list, build(UnknownField, "unknown field", Fault{File: "a.yaml", Line: i + 1}))
	}
	list = append(list, build(MatchesNothing, "nothing", Fault{File: "z.yaml"}))
	out := string(printed(t, FormatText, Options{}, list))
	if n := strings.Count(out, "error: "); n != shownFaults {
		t.Errorf("%d shown", n)
	}
	if want := "and 801 more; use --diagnostics json to see all\n1000 errors, 1 warning\n"; !strings.HasSuffix(out, want) {
		t.Errorf("ends %q", out[len(out)-100:])
	}
	if out := string(printed(t, FormatText, Options{More: "mend these first"}, list)); !strings.Contains(out, "\nand 801 more; mend these first\n1000 errors") {
		t.Errorf("ends %q", out[len(out)-100:])
	}
	if out := string(printed(t, FormatText, Options{}, list[:shownFaults])); strings.Contains(out, "more;") {
		t.Errorf("ends %q", out[len(out)-100:])
	}
	if n := strings.Count(string(printed(t, FormatJSON, Options{}, list)), `"code"`); n != 1001 {
		t.Errorf("%d in JSON", n)
	}
}

// A line that a check took out leaves nothing behind.
func TestLineThatIsLeftOutStartsNowhere(t *testing.T) {
	out := printed(t, FormatJSON, Options{}, List{build(UnknownField, "x", Fault{Line: 1, Column: 900, SourceFrom: 780})})
	if strings.Contains(string(out), "source") {
		t.Errorf("%s", out)
	}
}

// A part of a line is drawn as the whole one would be.
func TestPartOfALineIsDrawnAsTheWhole(t *testing.T) {
	whole := strings.Repeat("日\t", 500) + "X" + strings.Repeat("ab", 500)
	runes := []rune(whole)
	for _, column := range []int{1, 50, 121, 122, 1001, 1400, 1900, len(runes), len(runes) + 1} {
		from := max(column-120, 1)
		part := string(runes[from-1 : min(column+120, len(runes))])
		var want, got strings.Builder
		writeSource(&want, Fault{Line: 1, Column: column, Source: whole})
		writeSource(&got, Fault{Line: 1, Column: column, Source: part, SourceFrom: from})
		if got.String() != want.String() {
			t.Errorf("column %d:\n%s\nwant\n%s", column, got.String(), want.String())
		}
	}
}

// Sixty thousand faults, as one line of a megabyte can hold.
func BenchmarkPrint(b *testing.B) {
	var list List
	for i := range 60_000 {
		list = append(list, build(UnknownField, "unknown field", Fault{
			File: "a.json", Line: 1, Column: 14 * i, Source: strings.Repeat("a", 240), SourceFrom: 14*i - 100,
			Field: fmt.Sprintf("spec.a%d", i), Found: "1", Fix: "remove it",
		}))
	}
	for _, format := range Formats() {
		b.Run(string(format), func(b *testing.B) {
			for b.Loop() {
				p, _ := NewPrinter(format, discard{}, Options{})
				if err := list.Print(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

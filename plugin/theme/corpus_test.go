package theme

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runkora/kora/internal/source"
)

// head is the least document that is accepted; what follows starts at line 2.
const head = "koraVersion: \"1.4.0\"\n"

// example is a document with all that Parse says of it.
type example struct {
	name, text string
	faults     []string // "code line:column", of errors and warnings
	ignored    []string // "path", or "path ~ near"
	// loose: the schema cannot tell, because the rule is about the text or YAML.
	loose bool
}

func slotsOf(lines ...string) string {
	return head + "slots:\n  " + strings.Join(lines, "\n  ") + "\n"
}

func logo(url string) string {
	return slotsOf("logo:", "  dark: '"+url+"'", "  light: https://a.example/l.svg")
}

func font(url string) string { return slotsOf("font.sans: '" + url + "'") }

func name(text string) string { return head + "productName: " + text + "\n" }

func color(text string) string { return slotsOf("color:", "  text:", "    dark: "+text) }

const (
	mixed   = "T101 4:5"
	mixName = "T101 2:1"
)

func documents() []example {
	return []example{
		// R32: what a theme is.
		{name: "least", text: head},
		{name: "version unquoted is a string", text: "koraVersion: 1.4.0\n"},
		{name: "another minor and patch of the major", text: "koraVersion: '1.99.7'\n"},
		{name: "a tagged string", text: "koraVersion: !!str 1.4.0\n"},
		{name: "a tag that makes a number", text: head + "productName: !!int '7'\n", faults: []string{"T005 2:14"}, loose: true},
		{name: "a tag that is not read", text: head + "productName: !!binary aGVsbG8=\n", faults: []string{"Y001 2:14"}, loose: true},
		{name: "a tag that nobody knows", text: head + "productName: !theme hello\n", faults: []string{"Y001 2:14"}, loose: true},
		{name: "as JSON", text: `{"koraVersion": "1.4.0", "productName": 7}`, faults: []string{"T005 1:41"}},
		{name: "number", text: "koraVersion: 1.4\n", faults: []string{"T003 1:14"}},
		{name: "quoted without patch", text: "koraVersion: '1.4'\n", faults: []string{"T003 1:14"}},
		{name: "integer", text: "koraVersion: 1\n", faults: []string{"T003 1:14"}},
		{name: "with a v", text: "koraVersion: v1.4.0\n", faults: []string{"T003 1:14"}},
		{name: "pre-release", text: "koraVersion: 1.4.0-rc.1\n", faults: []string{"T003 1:14"}},
		{name: "build", text: "koraVersion: 1.4.0+5\n", faults: []string{"T003 1:14"}},
		{name: "leading zero", text: "koraVersion: '1.04.0'\n", faults: []string{"T003 1:14"}},
		{name: "newline behind the version", text: "koraVersion: |\n  1.4.0\n", faults: []string{"T003 1:14"}},
		{name: "version is a list", text: "koraVersion: [1, 4, 0]\n", faults: []string{"T003 1:14"}},
		{name: "version is empty", text: "koraVersion:\n", faults: []string{"T003 1:1"}},
		{name: "no version", text: "productName: Northwind\n", faults: []string{"T003 1:1"}},
		{name: "another major", text: "koraVersion: '2.0.0'\n", faults: []string{"T004 1:14"}},
		{name: "a major that begins alike", text: "koraVersion: '11.0.0'\n", faults: []string{"T004 1:14"}},
		{name: "empty", text: "", faults: []string{"T001 1:1"}, loose: true},
		{name: "comments alone", text: "# nothing\n", faults: []string{"T001 1:1"}, loose: true},
		{name: "a list", text: "- a\n", faults: []string{"T001 1:1"}},
		{name: "a text", text: "theme\n", faults: []string{"T001 1:1"}},
		{name: "an empty map", text: "{}\n", faults: []string{"T003 1:1"}},
		{name: "two documents", text: head + "---\na: 1\n", faults: []string{"T001 2:1"}, loose: true},
		{name: "not YAML", text: head + "slots: [\n", faults: []string{"Y001 2:1"}, loose: true},
		{name: "a tab", text: head + "slots:\n\tlogo: 1\n", faults: []string{"Y001 3:1"}, loose: true},
		{name: "duplicate", text: head + head, faults: []string{"Y002 2:1"}, loose: true},
		{name: "duplicate in an unknown entry", text: head + "x:\n  a: 1\n  a: 2\n", faults: []string{"Y002 4:3"}, ignored: []string{"x"}, loose: true},
		{name: "too long", text: head + "#" + strings.Repeat("x", MaxBytes), faults: []string{"Y003 1:1"}, loose: true},
		{name: "as long as may be", text: head + "#" + strings.Repeat("x", MaxBytes-len(head)-1)},
		{name: "not UTF-8", text: head + "x: \xff\n", faults: []string{"Y001 2:4"}, loose: true},
		{name: "UTF-16", text: "\xff\xfek\x00", faults: []string{"T001 1:1"}, loose: true},
		{name: "anchor and alias", text: head + "x: &a [1]\ny: *a\n", faults: []string{"T002 2:4", "T002 3:4"}, ignored: []string{"x", "y"}, loose: true},
		{name: "anchor alone", text: head + "x: !!str &a b\n", faults: []string{"T002 2:4"}, ignored: []string{"x"}, loose: true},
		{name: "merge of an alias", text: head + "x: &a {b: 1}\ny:\n  <<: *a\n", faults: []string{"T002 2:4", "T002 4:7"}, ignored: []string{"x", "y"}, loose: true},
		{name: "many aliases", text: bomb(), faults: []string{"T002 3:8"}, loose: true},
		{name: "alias without an anchor", text: head + "y: *a\n", faults: []string{"Y001 2:4"}, loose: true},

		// R32, R35: the product's name.
		{name: "name", text: name("Northwind Agents"), faults: []string{mixName}},
		{name: "all signs", text: name(`"A-b.c & d'e + (f) 9"`), faults: []string{mixName}},
		{name: "two characters", text: name("AB"), faults: []string{mixName}},
		{name: "forty characters", text: name(strings.Repeat("é", 40)), faults: []string{mixName}},
		{name: "decomposed", text: name(`"Cafe\u0301"`), faults: []string{mixName}},
		{name: "Hindi", text: name("हिन्दी एजेंट"), faults: []string{mixName}},
		{name: "Chinese", text: name("北风智能"), faults: []string{mixName}},
		{name: "Arabic digits first", text: name("٣ وكلاء"), faults: []string{mixName}},
		{name: "one character", text: name("A"), faults: []string{"T005 2:14"}},
		{name: "forty-one characters", text: name(strings.Repeat("a", 41)), faults: []string{"T005 2:14"}},
		{name: "empty name", text: name(`""`), faults: []string{"T005 2:14"}},
		{name: "no name", text: name(""), faults: []string{"T005 2:1"}},
		{name: "number for a name", text: name("2026"), faults: []string{"T005 2:14"}},
		{name: "boolean for Helm", text: name("On"), faults: []string{"T005 2:14"}, loose: true},
		{name: "the same quoted", text: name(`"On"`), faults: []string{mixName}},
		{name: "starts with a sign", text: name("(Northwind)"), faults: []string{"T005 2:14"}},
		{name: "starts with a space", text: name(`" Northwind"`), faults: []string{"T005 2:14"}},
		{name: "double space", text: name("North  wind"), faults: []string{"T005 2:14"}},
		{name: "control", text: name(`"North\x07wind"`), faults: []string{"T005 2:14"}},
		{name: "newline", text: name(`"North\nwind"`), faults: []string{"T005 2:14"}},
		{name: "bidi override", text: name(`"North\u202ewind"`), faults: []string{"T005 2:14"}},
		{name: "zero width", text: name(`"North\u200bwind"`), faults: []string{"T005 2:14"}},
		{name: "joiner", text: name(`"North\u200dwind"`), faults: []string{"T005 2:14"}},
		{name: "invisible letter", text: name(`"North\u3164wind"`), faults: []string{"T005 2:14"}},
		{name: "variation selector", text: name(`"North\ufe0fwind"`), faults: []string{"T005 2:14"}},
		{name: "no-break space", text: name(`"North\u00a0wind"`), faults: []string{"T005 2:14"}},
		{name: "a mark without a letter", text: name(`"North \u0301wind"`), faults: []string{"T005 2:14"}},
		{name: "a tower of marks", text: name(`"No` + strings.Repeat(`\u0332`, 5) + `"`), faults: []string{"T005 2:14"}, loose: true},
		{name: "emoji", text: name("North 🧭"), faults: []string{"T005 2:14"}},
		{name: "markup", text: name(`"A<b>"`), faults: []string{"T005 2:14", "T005 2:14"}},
		{name: "several at once", text: name(`"@\n` + strings.Repeat("a", 40) + `"`), faults: []string{"T005 2:14", "T005 2:14", "T005 2:14", "T005 2:14"}},

		// R33: URLs.
		{name: "logo", text: logo("https://a.example/d.svg"), faults: []string{mixed}},
		{name: "query", text: logo("https://a.example/d.svg?v=2&w=1"), faults: []string{mixed}},
		{name: "port", text: logo("https://a.example:8443/d.svg"), faults: []string{mixed}},
		{name: "one label", text: logo("https://cdn/d.svg"), faults: []string{mixed}},
		{name: "punycode", text: logo("https://xn--mnchen-3ya.example/d.svg"), faults: []string{mixed}},
		{name: "escapes and signs", text: logo("https://a.example/@s/(x),y;z=1/%20d.svg"), faults: []string{mixed}},
		{name: "2048 characters", text: font("https://a.example/" + strings.Repeat("a", 2048-24) + ".woff2")},
		{name: "2049 characters", text: font("https://a.example/" + strings.Repeat("a", 2048-23) + ".woff2"), faults: []string{"T006 3:14"}},
		{name: "http", text: logo("http://a.example/d.svg"), faults: []string{"T006 4:11"}},
		{name: "upper-case scheme", text: logo("HTTPS://a.example/d.svg"), faults: []string{"T006 4:11"}},
		{name: "javascript", text: logo("javascript:alert(1)//d.svg"), faults: []string{"T006 4:11"}},
		{name: "data", text: logo("data:image/svg+xml,d.svg"), faults: []string{"T006 4:11"}},
		{name: "relative", text: logo("/brand/d.svg"), faults: []string{"T006 4:11"}},
		{name: "without a scheme", text: logo("//a.example/d.svg"), faults: []string{"T006 4:11"}},
		{name: "credentials", text: logo("https://ada:s3cret@a.example/d.svg"), faults: []string{"T006 4:11"}},
		{name: "user", text: logo("https://ada@a.example/d.svg"), faults: []string{"T006 4:11"}},
		{name: "empty user", text: logo("https://@a.example/d.svg"), faults: []string{"T006 4:11"}},
		{name: "fragment", text: logo("https://a.example/d.svg#x"), faults: []string{"T006 4:11"}},
		{name: "empty fragment", text: logo("https://a.example/d.svg#"), faults: []string{"T006 4:11"}},
		{name: "extension in the query", text: logo("https://a.example/d?x=.svg"), faults: []string{"T006 4:11"}},
		{name: "another extension", text: logo("https://a.example/d.png"), faults: []string{"T006 4:11"}},
		{name: "extension in capitals", text: logo("https://a.example/d.SVG"), faults: []string{"T006 4:11"}},
		{name: "a font as a logo", text: logo("https://a.example/d.woff2"), faults: []string{"T006 4:11"}},
		{name: "woff", text: font("https://a.example/d.woff"), faults: []string{"T006 3:14"}},
		{name: "no path", text: logo("https://a.svg"), faults: []string{"T006 4:11"}},
		{name: "no host", text: logo("https:///d.svg"), faults: []string{"T006 4:11"}},
		{name: "port alone", text: logo("https://:443/d.svg"), faults: []string{"T006 4:11"}},
		{name: "port too high", text: logo("https://a.example:65536/d.svg"), faults: []string{"T006 4:11"}},
		{name: "empty port", text: logo("https://a.example:/d.svg"), faults: []string{"T006 4:11"}},
		{name: "IPv4", text: logo("https://10.0.0.1/d.svg"), faults: []string{"T006 4:11"}},
		{name: "IPv4 in one number", text: logo("https://2130706433/d.svg"), faults: []string{"T006 4:11"}},
		{name: "IPv4 in hexadecimal", text: logo("https://0x7f.0x1/d.svg"), faults: []string{"T006 4:11"}},
		{name: "IPv6", text: logo("https://[::1]/d.svg"), faults: []string{"T006 4:11"}},
		{name: "IDN", text: logo("https://münchen.example/d.svg"), faults: []string{"T006 4:11"}},
		{name: "full-width dot", text: logo("https://a。example/d.svg"), faults: []string{"T006 4:11"}},
		{name: "escaped host", text: logo("https://%61.example/d.svg"), faults: []string{"T006 4:11"}},
		{name: "underscore", text: logo("https://a_b.example/d.svg"), faults: []string{"T006 4:11"}},
		{name: "long label", text: logo("https://" + strings.Repeat("a", 64) + ".example/d.svg"), faults: []string{"T006 4:11"}},
		{name: "long host", text: logo("https://" + strings.Repeat("a.", 126) + "ab/d.svg"), faults: []string{"T006 4:11"}},
		{name: "backslash", text: logo(`https://a.example\d.svg`), faults: []string{"T006 4:11", "T006 4:11"}},
		{name: "backslash in the path", text: logo(`https://a.example/\d.svg`), faults: []string{"T006 4:11"}},
		{name: "space", text: logo("https://a.example/d d.svg"), faults: []string{"T006 4:11"}},
		{name: "quote", text: logo(`https://a.example/"d.svg`), faults: []string{"T006 4:11"}},
		{name: "newline in the path", text: slotsOf(`font.sans: "https://a.example/a\nb.woff2"`), faults: []string{"T006 3:14"}},
		{name: "control in the query", text: slotsOf(`font.sans: "https://a.example/b.woff2?\x01"`), faults: []string{"T006 3:14"}},
		{name: "lone percent", text: logo("https://a.example/%d.svg"), faults: []string{"T006 4:11"}},
		{name: "letters outside ASCII", text: logo("https://a.example/é.svg"), faults: []string{"T006 4:11"}},
		{name: "many faults of one URL", text: logo("http://u:p@10.0.0.1/d.png#x"), faults: []string{"T006 4:11", "T006 4:11", "T006 4:11", "T006 4:11", "T006 4:11"}},

		// R32: colours.
		{name: "three digits", text: color(`"#fff"`)},
		{name: "six digits", text: color(`'#A1b2C3'`)},
		{name: "eight digits", text: color(`"#a1b2c3d4"`)},
		{name: "four digits", text: color(`"#fffa"`), faults: []string{"T007 5:13"}},
		{name: "a name for a colour", text: color("red"), faults: []string{"T007 5:13"}},
		{name: "rgb", text: color("rgb(1,2,3)"), faults: []string{"T007 5:13"}},
		{name: "unquoted", text: color("#ffffff"), faults: []string{"T007 5:7"}},
		{name: "digits alone", text: color("000000"), faults: []string{"T007 5:13"}},
		{name: "a style", text: color(`"#fff;background:url(https://x)"`), faults: []string{"T007 5:13"}},
		{name: "newline behind", text: color(`"#fff\n"`), faults: []string{"T007 5:13"}},

		// R34: a known key of a wrong form is refused.
		{name: "slots is empty", text: head + "slots:\n", faults: []string{"T001 2:1"}},
		{name: "slots is an empty map", text: head + "slots: {}\n"},
		{name: "slots is a list", text: head + "slots: [logo]\n", faults: []string{"T001 2:8"}},
		{name: "logo is a URL", text: slotsOf("logo: https://a.example/d.svg"), faults: []string{"T001 3:9"}},
		{name: "logo is an empty map", text: slotsOf("logo: {}"), faults: []string{"T001 3:9"}},
		{name: "font is a map", text: slotsOf("font.sans: {dark: x}"), faults: []string{"T006 3:14"}},
		{name: "font is empty", text: slotsOf("font.mono:"), faults: []string{"T006 3:3"}},
		{name: "color is a text", text: slotsOf("color: '#fff'"), faults: []string{"T001 3:10"}},
		{name: "token is a text", text: slotsOf("color:", "  text: '#fff'"), faults: []string{"T001 4:11"}},

		// R34: what is not known is listed.
		{name: "unknown", text: head + "zebra: [1, {a: b}]\n", ignored: []string{"zebra"}},
		{name: "one edit at the root", text: head + "productNam: Northwind\n", ignored: []string{"productNam ~ productName"}},
		{name: "one edit in a slot", text: slotsOf("logos:", "  dark: x"), ignored: []string{"slots.logos ~ slots.logo"}},
		{name: "one edit in a mode", text: slotsOf("logo:", "  drak: x"), ignored: []string{"slots.logo.drak ~ slots.logo.dark"}},
		{name: "one edit in a token", text: slotsOf("color:", "  sucess: {dark: x}"), ignored: []string{"slots.color.sucess ~ slots.color.success"}},
		{name: "another case", text: slotsOf("Logo: 1"), ignored: []string{"slots.Logo ~ slots.logo"}},
		{name: "one edit in a dotted key", text: slotsOf("font.san: 1"), ignored: []string{"slots.font.san ~ slots.font.sans"}},
		{name: "nested font", text: slotsOf("font:", "  sans: x"), ignored: []string{"slots.font ~ slots.font.sans"}},
		{name: "a slot at the root", text: head + "logo: {dark: x}\n", ignored: []string{"logo ~ slots.logo"}},
		{name: "a dotted mode", text: slotsOf("logo.dark: x"), ignored: []string{"slots.logo.dark ~ slots.logo.dark"}},
		{name: "token in place of its map", text: slotsOf("focus: 1"), ignored: []string{"slots.focus ~ slots.color.focus"}},
		{name: "a key that drives a terminal", text: head + `"\e[2J\u202e": 1` + "\n", ignored: []string{`["\x1b[2J\u202e"]`}},
		{name: "a key with credentials", text: head + `"https://u:p@h": 1` + "\n", ignored: []string{`["***@h"]`}},
		{name: "a long key", text: head + strings.Repeat("k", 200) + ": 1\n", ignored: []string{`["` + strings.Repeat("k", 80) + `…"]`}},

		// R34: all or none of a brand, R15's kin: all faults at once.
		{name: "colours and fonts alone", text: slotsOf("font.mono: https://a.example/m.woff2", "color:", "  focus: {light: '#000'}")},
		{name: "faults everywhere", text: "koraVersion: 2\nproductName: A\nslots:\n  logo: 1\n  favicon: {dark: x}\n  font.sans: y\n  color: {text: {dark: z}}\n  nope: 1\n",
			faults: []string{"T003 1:14", "T005 2:14", "T001 4:9", "T006 5:19", "T006 6:14", "T007 7:24"}, ignored: []string{"slots.nope"}},
	}
}

// bomb doubles with each line.
func bomb() string {
	text := head + "a: &a [x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\n"
	return text + "c: [" + strings.Repeat("*b, ", 200) + "]\n"
}

// R32 to R34: each document is judged to the code, the line and the column.
func TestDocuments(t *testing.T) {
	if n := len(documents()); n < 60 {
		t.Fatalf("only %d documents", n)
	}
	for _, d := range documents() {
		t.Run(d.name, func(t *testing.T) {
			c := &checker{file: source.NewFile("theme.yaml", d.text), version: "1.4.0", theme: &Theme{values: map[string]string{}}}
			theme, found := Parse(c.file, "1.4.0")
			if theme == nil != found.Refused() {
				t.Errorf("theme %v with faults %v", theme, found)
			}
			var got []string
			for _, f := range found {
				got = append(got, fmt.Sprintf("%s %d:%d", strings.TrimPrefix(string(f.Code), "KORA-"), f.Line, f.Column))
				if f.File != "theme.yaml" || f.Message == "" || !strings.HasPrefix(string(f.Code), "KORA-Y") && (f.Found == "" || f.Expected == "" || f.Fix == "") {
					t.Errorf("a fault that does not say all: %+v", f)
				}
			}
			if diff := cmp.Diff(d.faults, got); diff != "" {
				t.Errorf("faults want (-) got (+):\n%s%+v", diff, found)
			}
			if diff := cmp.Diff(d.ignored, ignoredOf(c)); diff != "" {
				t.Errorf("ignored want (-) got (+):\n%s", diff)
			}
		})
	}
}

// ignoredOf lists what a document has too much, also of one that is refused.
func ignoredOf(c *checker) []string {
	var out []string
	if root := c.read(); root != nil {
		c.entry(document(), root, root.Pos, "")
	}
	for _, i := range c.theme.Ignored {
		text := i.Path
		if i.Near != "" {
			text += " ~ " + i.Near
		}
		out = append(out, text)
	}
	return out
}

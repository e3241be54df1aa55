package theme

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// element is a tag with its attributes.
type element struct {
	name  string
	attrs map[string]string
}

// parsed is a page read back: its tags in order, and the text of its style. The
// page is written so that it is well-formed XML too: a strict parser is then a
// witness that nothing broke out of its place.
type parsed struct {
	elements []element
	style    string
	text     string
}

func reparse(page string) (*parsed, error) {
	dec := xml.NewDecoder(strings.NewReader(page))
	out, inStyle := &parsed{}, false
	for {
		token, err := dec.Token()
		switch token := token.(type) {
		case xml.StartElement:
			e := element{token.Name.Local, map[string]string{}}
			for _, a := range token.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			out.elements = append(out.elements, e)
			inStyle = e.name == "style"
		case xml.EndElement:
			inStyle = false
		case xml.CharData:
			out.text += string(token)
			if inStyle {
				out.style += string(token)
			}
		case xml.Comment:
			return nil, fmt.Errorf("a comment %q", token)
		}
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

var (
	declaration = regexp.MustCompile(`--([a-z-]+): ?([^;]*);`)
	fontURL     = regexp.MustCompile(`url\("https:([^"\\\n<>]|\\26 )*"\)`)
	// policyForm is the whole policy, but for its hash.
	policyForm = regexp.MustCompile(`^default-src 'none'; img-src https:; font-src https:; style-src 'sha256-([A-Za-z0-9+/]{43}=)'; base-uri 'none'; form-action 'none'$`)
)

// harmless says why a page is not what the preview may write, empty when it is.
func harmless(page string) string {
	p, err := reparse(page)
	if err != nil {
		return "not well-formed: " + err.Error()
	}
	policies := 0
	for i, e := range p.elements {
		if e.attrs["http-equiv"] == "Content-Security-Policy" {
			policies++
			sum := sha256.Sum256([]byte(p.style))
			m := policyForm.FindStringSubmatch(e.attrs["content"])
			if i > 4 || m == nil || m[1] != base64.StdEncoding.EncodeToString(sum[:]) {
				return "the policy is " + e.attrs["content"]
			}
		}
		if why := e.harmless(); why != "" {
			return why
		}
	}
	if policies != 1 || strings.Count(page, "<style") != 1 {
		return "not one policy and one style"
	}
	return harmlessStyle(p.style)
}

// harmless knows the tags and attributes of the page; whatever else there is
// came out of a theme.
func (e element) harmless() string {
	known := strings.Fields("html head meta title style body header h1 h2 h3 p ul li b main section div span svg circle path img table thead tbody tr th td small i code footer")
	if !slices.Contains(known, e.name) {
		return "a tag " + e.name
	}
	for name, value := range e.attrs {
		switch name {
		case "src":
			if e.name != "img" || !strings.HasPrefix(value, "https://") {
				return "a source " + value
			}
		case "lang", "charset", "http-equiv", "name", "content", "class", "role", "aria-label", "aria-hidden", "alt", "referrerpolicy",
			"scope", "viewBox", "width", "height", "cx", "cy", "r", "fill", "d", "stroke", "stroke-width", "stroke-linecap":
		default:
			return "an attribute " + name
		}
	}
	return ""
}

// harmlessStyle wants colours alone in what a theme sets, and no URL but those
// of fonts.
func harmlessStyle(style string) string {
	modes, _, _ := strings.Cut(style, ":root")
	for _, m := range declaration.FindAllStringSubmatch(modes, -1) {
		if !colorPattern.MatchString(strings.TrimSpace(m[2])) {
			return "a colour " + m[0]
		}
	}
	if n := strings.Count(modes, "--"); n != 2*len(tokens())+strings.Count(modes, "var(--") {
		return fmt.Sprintf("%d variables", n)
	}
	if strings.Count(style, "url(") != len(fontURL.FindAllString(style, -1)) || strings.ContainsAny(style, "<&") || strings.Contains(style, "@import") {
		return "a URL or mark in " + modes
	}
	return ""
}

func draw(t *testing.T, theme *Theme) string {
	t.Helper()
	var b bytes.Buffer
	if err := Preview(&b, theme, "1.4.0"); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// breakouts are what an attacker writes to leave the place of a value.
func breakouts() []string {
	return []string{
		`</style><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onload='alert(1)`, `javascript:alert(1)`,
		`data:text/html,<script>alert(1)</script>`, `#fff;}*{background:url(https://evil.example/x)}`, `#fff}</style>`, `"); @import url(https://evil.example/x.css); ("`,
		`expression(alert(1))`, `{{.Policy}}`, `{{template "logo" .}}`, `-->`, `<!--`, `]]>`, `&lt;script&gt;`, `&#x3c;script&#x3e;`, `\3c script\3e`, "a\u0000b", "a\u2028b", `*/}`, `'/**/`,
		`https://a.example/');}body{color:red}x{y:url('d.woff2`, `https://a.example/x.svg" onerror="alert(1)`,
	}
}

func yamlText(s string) string { return fmt.Sprintf("%q", s) }

// R37, security: in every field a breakout is either refused by Parse or
// harmless in the page.
func TestNothingBreaksOutThroughADocument(t *testing.T) {
	for _, s := range breakouts() {
		for _, text := range []string{
			"koraVersion: " + yamlText(s) + "\n", name(yamlText(s)), color(yamlText(s)),
			slotsOf("logo: {dark: " + yamlText(s) + "}"), slotsOf("favicon: {light: " + yamlText(s) + "}"), slotsOf("font.sans: " + yamlText(s)),
			slotsOf("logo: {dark: " + yamlText("https://a.example/"+s+".svg") + "}"), slotsOf("font.mono: " + yamlText("https://a.example/x.woff2?"+s)),
			head + yamlText(s) + ": 1\n", slotsOf(yamlText(s)+": 1", "color: {"+yamlText(s)+": 1}"),
		} {
			theme, found := parse(t, text)
			if theme == nil {
				continue
			}
			if why := harmless(draw(t, theme)); why != "" {
				t.Errorf("%s: %s (%v)", text, why, found)
			}
		}
	}
}

// R37, security, in depth: even with values that Parse never lets through the
// page keeps its shape, tag by tag.
func TestThePageNeedsNoTrustInTheValues(t *testing.T) {
	plain := shape(t, planted("https://a.example/x"))
	for _, s := range breakouts() {
		page := draw(t, planted(s))
		got, err := reparse(strings.Map(noControls, page))
		if err != nil {
			t.Errorf("%q: %v", s, err)
			continue
		}
		if names := tags(got); !slices.Equal(names, plain) {
			t.Errorf("%q changes the page: %d tags, want %d", s, len(names), len(plain))
		}
		if strings.Contains(got.style, "evil.example/x)") || strings.Contains(got.style, "@import") {
			t.Errorf("%q is in the style", s)
		}
	}
}

// planted sets every value to the same text, past the validator.
func planted(s string) *Theme {
	theme := &Theme{KoraVersion: s, Ignored: []Ignored{{Path: s, Near: s}}, values: map[string]string{}}
	for _, v := range Settings() {
		theme.values[v.Path] = s
	}
	theme.values["slots.logo.dark"] = "https://a.example/" + s
	return theme
}

// noControls: XML has no place for a control character, HTML shows it as a
// replacement.
func noControls(r rune) rune {
	if r < ' ' && r != '\n' && r != '\t' {
		return -1
	}
	return r
}

func shape(t *testing.T, theme *Theme) []string {
	t.Helper()
	p, err := reparse(draw(t, theme))
	if err != nil {
		t.Fatal(err)
	}
	return tags(p)
}

// tags are the names of the page's elements with those of their attributes,
// less the list of assets, which has as many rows as there are URLs.
func tags(p *parsed) []string {
	var out []string
	for _, e := range p.elements {
		if e.name == "li" {
			continue
		}
		var attrs []string
		for name := range e.attrs {
			attrs = append(attrs, name)
		}
		slices.Sort(attrs)
		out = append(out, e.name+" "+strings.Join(attrs, " "))
	}
	return out
}

// R37: the witness sees what it has to see.
func TestTheWitnessRefusesHarm(t *testing.T) {
	theme, _ := parse(t, head)
	page := draw(t, theme)
	if why := harmless(page); why != "" {
		t.Fatal(why)
	}
	for _, harm := range []string{"<script></script>", `<img src="data:x"/>`, `<b onclick="x"></b>`, `<a href="x"></a>`, `<b style="x"></b>`, "<!-- -->", "<b>"} {
		if harmless(strings.Replace(page, "</main>", harm+"</main>", 1)) == "" {
			t.Errorf("%s passes", harm)
		}
	}
	if harmless(strings.Replace(page, "</style>", " </style>", 1)) == "" {
		t.Error("a style of another hash passes")
	}
}

// R37: what the page tells: the name, both modes, the figures, what is kora's.
func TestThePageTellsWhatIsKoras(t *testing.T) {
	theme, _ := parse(t, head+"productName: A & B's\nslots: {color: {text-muted: {light: '#99a'}}, zebra: 1}\n")
	p, err := reparse(draw(t, theme))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Sign in to A & B's", "Dark mode", "Light mode", "2 of 26 figures are below level AA", "2.80", "AA fail", "AAA pass",
		"slots.favicon.light", "slots.zebra at 3:47", "Two brands mixed", "Still kora's: slots.logo.dark",
	} {
		if !strings.Contains(p.text, want) {
			t.Errorf("no %q", want)
		}
	}
}

// R37: the same theme gives the same page.
func TestThePageIsTheSameEachTime(t *testing.T) {
	theme, _ := parse(t, name("Northwind"))
	first := draw(t, theme)
	for range 20 {
		if draw(t, theme) != first {
			t.Fatal("two pages of one theme differ")
		}
	}
}

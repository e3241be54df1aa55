package theme

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

func parse(t *testing.T, text string) (*Theme, faults.List) {
	t.Helper()
	return Parse(source.NewFile("theme.yaml", text), "1.4.0")
}

// R32: the message about an unquoted number says to quote it, and how.
func TestANumberForAVersionIsToBeQuoted(t *testing.T) {
	_, found := parse(t, "koraVersion: 1.4\n")
	if f := found[0]; f.Message != "koraVersion 1.4 is a number, not a text" || f.Fix != `quote it, with all three parts: koraVersion: "1.4.0"` {
		t.Errorf("%+v", f)
	}
}

// R34: a theme of another major is to be reissued.
func TestAnotherMajorIsToBeReissued(t *testing.T) {
	_, found := parse(t, "koraVersion: '2.0.0'\n")
	if f := found[0]; f.Code != faults.ThemeMajor || !strings.Contains(f.Fix, "reissue") {
		t.Errorf("%+v", f)
	}
}

// R34: exactly one warning names the identity values that still show kora; none
// or all set is no mix.
func TestAMixOfBrandsIsWarnedOf(t *testing.T) {
	all := head + "productName: Northwind\nslots:\n" +
		"  logo: {dark: https://a.example/d.svg, light: https://a.example/l.svg}\n" +
		"  favicon: {dark: https://a.example/d.svg, light: https://a.example/l.svg}\n"
	for text, unset := range map[string]string{
		all: "",
		slotsOf("color:", "  text: {dark: '#fff'}"):                                 "",
		strings.Replace(all, "productName: Northwind\n", "", 1):                     "productName",
		strings.Replace(all, ", light: https://a.example/l.svg}\n  f", "}\n  f", 1): "slots.logo.light",
		name("Northwind"): "slots.logo.dark, slots.logo.light, slots.favicon.dark, slots.favicon.light",
	} {
		theme, found := parse(t, text)
		if theme == nil || found.Refused() || len(found) > 1 || (len(found) == 1) != (unset != "") {
			t.Errorf("%q: %v", text, found)
			continue
		}
		if unset != "" && (found[0].Severity != faults.Warning || found[0].Found != "kora's default for "+unset) {
			t.Errorf("%+v, want %s", found[0], unset)
		}
	}
}

// R33: credentials and queries of a URL stand in no fault, whatever is wrong
// on their line, and however YAML spells them.
func TestCredentialsAreNeverRepeated(t *testing.T) {
	for _, text := range []string{
		logo("https://ada:s3cret@a.example/d.svg"),
		logo("http://ada:s3cret@a.example/d.png?token=s3cret#s3cret"),
		logo("https://ada:s3/cret@a.example/d.svg"),
		logo("https://ada:s3?s3cret@a.example/d.svg"),
		logo("https://ada:s3cret s3cret@a.example/d.svg"),
		logo("ada:s3cret@a.example"),
		slotsOf(`font.sans: "https://ada:s3cret\x40a.example/d.woff2"`),
		slotsOf(`font.sans: "https://ada:s3cret\u0040a.example/d.woff2"`),
		slotsOf(`font.sans: "https://ada:s3cret`, `  @a.example/d.woff2"`),
		slotsOf(`logo: {dark: "https://ada:s3cret@a.example/d.svg", light: 7}`),
		slotsOf(`logo: "https://ada:s3cret@a.example/d.svg"`),
		slotsOf(`"https://ada:s3cret@a.example": 1`, `"https://ada:s3cret@a.example": 2`),
		slotsOf(`logo: [ "https://ada:s3cret@a.example/d.svg"`),
		slotsOf(`color: {text: {dark: "https://ada:s3cret@a.example"}}`),
		slotsOf(`font.sans: &a "https://ada:s3cret@a.example/d.woff2"`),
		name(`"https://ada:s3cret@a.example"`),
		"koraVersion: https://ada:s3cret@a.example\n",
	} {
		_, found := parse(t, text)
		all, err := json.Marshal(found)
		if err != nil || !found.Refused() {
			t.Errorf("%q is accepted (%v)", text, err)
		}
		if strings.Contains(string(all), "s3") {
			t.Errorf("%q is repeated: %s", text, all)
		}
	}
}

// R33: a query of a URL that is accepted is in no warning either.
func TestAQueryIsNotRepeated(t *testing.T) {
	theme, found := parse(t, slotsOf(`logo: {dark: "https://a.example/d.svg?token=s3cret"}`))
	all, err := json.Marshal(found)
	if theme == nil || len(found) != 1 || err != nil || strings.Contains(string(all), "s3cret") {
		t.Errorf("%v: %s", err, all)
	}
}

// R35: the name is kept in normal form C, so that its length is what one sees.
func TestNameIsKeptInNormalForm(t *testing.T) {
	theme, _ := parse(t, name(`"Cafe\u0301"`))
	if theme == nil || theme.ProductName() != "Caf\u00e9" {
		t.Errorf("%+v", theme)
	}
}

// R36: what a theme inside a values file has wrong is told at its place there.
func TestAThemeInsideValuesKeepsItsPlaces(t *testing.T) {
	values := "theme:\n  document: |\n    koraVersion: 1.4\n    slots: &a {}\n"
	docs, _ := source.Parse(source.NewFile("kora.yaml", values), source.DefaultLimits)
	inner := source.Embed(docs[0].Get("theme").Get("document"), "theme.document")
	found := Validate(inner, "1.4.0")
	if len(found) != 2 || found[0].Line != 3 || found[0].Column != 18 || found[1].Line != 4 || found[1].Column != 12 || found[0].Key != "theme.document" {
		t.Errorf("%+v", found)
	}
}

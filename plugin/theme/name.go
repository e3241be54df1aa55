package theme

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// nameForm is productName (R32, R35).
type nameForm struct{}

const (
	nameLeast, nameMost = 2, 40
	nameSigns           = "-.&'+()"
)

func (nameForm) code() faults.Code { return faults.ThemeName }
func (nameForm) expected() string {
	return "2 to 40 letters, digits, single spaces and - . & ' + ( ), starting with a letter or digit"
}

func (nameForm) quoting(n *source.Node) string {
	if n.Null() {
		return "write a name, or remove the key"
	}
	return fmt.Sprintf("quote it: productName: %q", n.Value)
}

// read judges the name in normal form C, as which it is kept and shown.
func (f nameForm) read(text, _ string) (string, []problem) {
	name := norm.NFC.String(text)
	var out []problem
	add := func(format, found, fix string) {
		out = append(out, problem{faults.ThemeName, fmt.Sprintf("productName "+format, found), shown(name), f.expected(), fix})
	}
	n := utf8.RuneCountInString(name)
	if n < nameLeast || n > nameMost {
		add("has %s", count(n, "character"), fmt.Sprintf("use %d to %d characters", nameLeast, nameMost))
	}
	if r, _ := utf8.DecodeRuneInString(name); n > 0 && !unicode.IsLetter(r) && !unicode.Is(unicode.Nd, r) {
		add("starts with %s", named(r), "start with a letter or digit")
	}
	if strings.Contains(name, "  ") {
		add("holds %s", "two spaces in a row", "use one space between words")
	}
	for _, r := range strange(name) {
		add("holds %s", named(r), "leave this character out")
	}
	if out != nil {
		return "", out
	}
	return name, nil
}

// strange returns each character that a name does not have, once. A vowel sign
// or accent belongs to the letter before it, at most four of them: without any
// the scripts of India could not be written, without bounds they climb over
// other lines.
func strange(name string) []rune {
	var out []rune
	marks, may := 0, false
	for _, r := range name {
		letter := nameLetter(r)
		mark := unicode.In(r, unicode.Mn, unicode.Mc) && visible(r)
		if marks++; !mark {
			marks, may = 0, letter
		}
		known := letter || r == ' ' || strings.ContainsRune(nameSigns, r) || mark && may && marks <= 4
		if !known && !strings.ContainsRune(string(out), r) {
			out = append(out, r)
		}
	}
	return out
}

func nameLetter(r rune) bool { return unicode.In(r, unicode.L, unicode.Nd) && visible(r) }

// visible is false of letters and marks that show nothing: fillers, joiners
// and selectors.
func visible(r rune) bool {
	return !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// named is a character as a message can hold it: with its number, and itself
// where it shows.
func named(r rune) string {
	if unicode.IsGraphic(r) && !unicode.In(r, unicode.M, unicode.Z) && visible(r) {
		return fmt.Sprintf("the character %c (U+%04X)", r, r)
	}
	return fmt.Sprintf("the character U+%04X", r)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// schema is the same rule, less the count of marks in a row: JSON Schema
// counts no characters of a kind.
func (nameForm) schema(string) map[string]any {
	const letter, rest = `\p{L}\p{Nd}`, `\p{L}\p{Nd}\p{Mn}\p{Mc}.&'+()-`
	return map[string]any{
		"type": "string", "minLength": nameLeast, "maxLength": nameMost,
		"pattern": `^[` + letter + `][` + rest + `]*( [` + rest + `]+)* ?$`,
		"not":     map[string]any{"pattern": `[ .&'+()-][\p{Mn}\p{Mc}]|` + ignorable()},
	}
}

// ignorable is a class of the characters for which visible is false.
func ignorable() string {
	return "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\ufe00-\ufe0f\uffa0]"
}

// CheckName returns what is wrong with a name of the product that stands outside
// of a theme, by the same rule (R32). The faults have no place.
func CheckName(text string) faults.List {
	var out faults.List
	_, wrong := nameForm{}.read(text, "")
	for _, p := range wrong {
		f := faults.New(p.code, p.message)
		f.Found, f.Expected, f.Fix = p.found, p.expected, p.fix
		out = append(out, f)
	}
	return out
}

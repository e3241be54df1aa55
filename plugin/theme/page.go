package theme

import (
	"fmt"
	"html/template"
	"math"
	"strings"
)

// page is what the templates of the preview read.
type page struct {
	Name, Version, KoraVersion string
	Policy                     string
	Style                      template.CSS // written by html/template itself
	Sans, Mono                 string
	Brand, Contrast, Known     fact
	Modes                      []mode
	Pairs                      []pairRow
	Colors                     []colorRow
	Defaults                   []Setting
	Ignored                    []Ignored
	Assets                     []string
}

// fact is one line of the page's head; its class is good, note or bad.
type fact struct{ Class, Title, Text string }

type mode struct {
	Class, Title        string
	Name, Logo, Favicon string
	Tokens              []tokenValue
}

type tokenValue struct{ Token, Value string }

type pairRow struct {
	Use, Above, Below string
	Text              bool
	Cells             []ratioCell
}

type ratioCell struct {
	Class, Ratio string
	Levels       []level
}

// level is one of WCAG's; its class is pass, fail, or short for a missed AAA.
type level struct{ Name, Verdict, Class string }

type colorRow struct {
	Token, About string
	Cells        []colorCell
}

type colorCell struct {
	Class, Value string
	Own          bool // set by the theme
}

func newPage(t *Theme, version string) *page {
	p := &page{
		Name: t.ProductName(), Version: version, KoraVersion: t.KoraVersion,
		Sans: t.Value("slots.font.sans"), Mono: t.Value("slots.font.mono"),
		Defaults: t.Defaults(), Ignored: t.Ignored,
	}
	if p.Name == "" {
		p.Name = "kora"
	}
	for _, m := range []string{"dark", "light"} {
		p.Modes = append(p.Modes, t.mode(m, p.Name))
	}
	p.rows(t)
	p.facts(t)
	return p
}

func (t *Theme) mode(name, product string) mode {
	m := mode{
		Class: name, Title: strings.ToUpper(name[:1]) + name[1:], Name: product,
		Logo: t.Value("slots.logo." + name), Favicon: t.Value("slots.favicon." + name),
	}
	for _, k := range tokens() {
		m.Tokens = append(m.Tokens, tokenValue{k.name, t.color(k.name, name)})
	}
	return m
}

// rows fills the tables, and the list of assets in the order of the settings.
func (p *page) rows(t *Theme) {
	for _, k := range tokens() {
		row := colorRow{Token: k.name, About: k.about}
		for _, m := range p.Modes {
			own := t.Value("slots.color." + k.name + "." + m.Class)
			row.Cells = append(row.Cells, colorCell{m.Class, t.color(k.name, m.Class), own != ""})
		}
		p.Colors = append(p.Colors, row)
	}
	for _, r := range pairs() {
		row := pairRow{Use: r.use, Above: r.above, Below: r.below, Text: r.text}
		for _, m := range p.Modes {
			row.Cells = append(row.Cells, r.cell(t.ratio(r, m.Class), m.Class))
		}
		p.Pairs = append(p.Pairs, row)
	}
	for _, s := range Settings() {
		if v := t.Value(s.Path); strings.HasPrefix(v, "https://") {
			p.Assets = append(p.Assets, v)
		}
	}
}

// cell judges a ratio as it is, and shows it cut: 4.499 is not 4.5.
func (r pair) cell(ratio float64, mode string) ratioCell {
	c := ratioCell{Class: mode, Ratio: fmt.Sprintf("%.2f", math.Floor(ratio*100)/100)}
	aa, aaa := r.levels()
	c.Levels = append(c.Levels, judged("AA", ratio, aa, "fail"))
	if aaa > 0 {
		c.Levels = append(c.Levels, judged("AAA", ratio, aaa, "short"))
	}
	return c
}

func judged(name string, ratio, least float64, below string) level {
	if ratio >= least {
		return level{name, "pass", "pass"}
	}
	return level{name, "fail", below}
}

// facts says at the head of the page what a reader looks for first.
func (p *page) facts(t *Theme) {
	p.Brand = t.brand()
	low, all := 0, 0
	for _, r := range p.Pairs {
		for _, c := range r.Cells {
			if all++; c.Levels[0].Class == "fail" {
				low++
			}
		}
	}
	p.Contrast = fact{"good", "Readable", fmt.Sprintf("All %d pairs reach level AA in both modes.", all/2)}
	if low > 0 {
		p.Contrast = fact{"bad", "Hard to read", fmt.Sprintf("%d of %d figures are below level AA.", low, all)}
	}
	p.Known = p.known()
}

func (p *page) known() fact {
	all := len(Settings())
	f := fact{"", fmt.Sprintf("%d of %d values set", all-len(p.Defaults), all), "The rest stays as kora has it."}
	if len(p.Defaults) == 0 {
		f.Text = "Nothing stays as kora has it."
	}
	if n := len(p.Ignored); n > 0 {
		f.Class, f.Text = "note", fmt.Sprintf("Entries that this version ignores: %d.", n)
	}
	return f
}

func (t *Theme) brand() fact {
	set, unset := t.identity()
	switch {
	case len(set) == 0:
		return fact{"", "kora's brand", "The theme sets no name, logo or icon."}
	case len(unset) == 0:
		return fact{"good", "One brand", "Name, logo and icon are all the theme's."}
	}
	return fact{"note", "Two brands mixed", "Still kora's: " + strings.Join(unset, ", ") + "."}
}

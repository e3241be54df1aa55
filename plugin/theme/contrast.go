package theme

import (
	"math"
	"strconv"
)

// rgba is a colour with its parts from 0 to 1.
type rgba struct{ r, g, b, a float64 }

// parseColor reads one of the forms of colorForm; anything else is black.
func parseColor(text string) rgba {
	if !colorPattern.MatchString(text) {
		return rgba{a: 1}
	}
	hex := text[1:]
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	if len(hex) == 6 {
		hex += "ff"
	}
	n, _ := strconv.ParseUint(hex, 16, 32)
	part := func(shift uint) float64 { return float64(n>>shift&0xff) / 255 }
	return rgba{part(24), part(16), part(8), part(0)}
}

// over is the colour one sees where top lies over bottom, which is opaque.
func (top rgba) over(bottom rgba) rgba {
	mix := func(t, b float64) float64 { return t*top.a + b*(1-top.a) }
	return rgba{mix(top.r, bottom.r), mix(top.g, bottom.g), mix(top.b, bottom.b), 1}
}

// luminance is the relative luminance of WCAG 2.2.
func (c rgba) luminance() float64 {
	linear := func(v float64) float64 {
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.r) + 0.7152*linear(c.g) + 0.0722*linear(c.b)
}

// contrast is the ratio of WCAG 2.2 between two opaque colours, from 1 to 21.
func contrast(a, b rgba) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// pair is two tokens that stand on one another in the interface.
type pair struct {
	above, below, use string
	text              bool // else a mark, for which 3:1 is enough (WCAG 1.4.11)
}

func pairs() []pair {
	return []pair{
		{"text", "background", "text on the page", true},
		{"text", "surface", "text on a card", true},
		{"text-muted", "background", "labels on the page", true},
		{"text-muted", "surface", "labels on a card", true},
		{"on-primary", "primary", "the main button", true},
		{"primary", "background", "links on the page", true},
		{"primary", "surface", "links on a card", true},
		{"success", "surface", "what went well", true},
		{"warning", "surface", "what needs a look", true},
		{"danger", "surface", "what failed", true},
		{"border", "surface", "the edge of a field", false},
		{"focus", "background", "the focus ring on the page", false},
		{"focus", "surface", "the focus ring on a card", false},
	}
}

// levels of a pair: what WCAG 2.2 asks of text of the usual size, or of a mark.
// There is no AAA for marks.
func (p pair) levels() (aa, aaa float64) {
	if p.text {
		return 4.5, 7
	}
	return 3, 0
}

// ratio is the contrast of a pair in one mode of the theme. What is not opaque
// lies over the page, and the page over the white or black of the browser.
func (t *Theme) ratio(p pair, mode string) float64 {
	canvas := rgba{a: 1}
	if mode == "light" {
		canvas = rgba{1, 1, 1, 1}
	}
	page := parseColor(t.color("background", mode)).over(canvas)
	ground := page
	if p.below != "background" {
		ground = parseColor(t.color(p.below, mode)).over(page)
	}
	return contrast(parseColor(t.color(p.above, mode)).over(ground), ground)
}

// color is the theme's colour of a token in a mode, or kora's own.
func (t *Theme) color(name, mode string) string {
	if own := t.Value("slots.color." + name + "." + mode); colorPattern.MatchString(own) {
		return own
	}
	for _, k := range tokens() {
		if k.name == name && mode == "dark" {
			return k.dark
		} else if k.name == name {
			return k.light
		}
	}
	return ""
}

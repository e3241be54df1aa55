package theme

import (
	"math"
	"testing"
)

// R37: figures that others have published for the formula of WCAG 2.
func TestContrastIsThatOfWCAG(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"#000", "#ffffff", 21}, {"#fff", "#fff", 1}, {"#767676", "#fff", 4.54}, {"#777", "#fff", 4.48},
		{"#0000ff", "#ffffff", 8.59}, {"#ff0000", "#ffffff", 4.00}, {"#949494", "#fff", 3.03},
	} {
		got := contrast(parseColor(c.a), parseColor(c.b))
		if math.Abs(got-c.want) > 0.005 {
			t.Errorf("%s on %s: %.3f, want %.2f", c.a, c.b, got, c.want)
		}
	}
}

// R37: a colour with alpha is judged as it is seen, over what lies below it.
func TestContrastSeesThroughAlpha(t *testing.T) {
	seen := parseColor("#00000080").over(rgba{1, 1, 1, 1})
	if math.Abs(seen.r-0.498) > 0.001 || seen.a != 1 {
		t.Errorf("%+v", seen)
	}
	theme := &Theme{values: map[string]string{"slots.color.text.light": "#00000000"}}
	if r := theme.ratio(pair{above: "text", below: "surface"}, "light"); r != 1 {
		t.Errorf("an invisible text has ratio %f", r)
	}
	if p := parseColor("red"); p != (rgba{a: 1}) {
		t.Errorf("%+v", p)
	}
}

// R37: kora's own colours reach AA on every pair in both modes.
func TestDefaultColoursAreReadable(t *testing.T) {
	theme := &Theme{}
	for _, mode := range []string{"dark", "light"} {
		for _, p := range pairs() {
			aa, _ := p.levels()
			if r := theme.ratio(p, mode); r < aa {
				t.Errorf("%s: %s on %s: %.2f, want %.1f", mode, p.above, p.below, r, aa)
			}
		}
	}
}

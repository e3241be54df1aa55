package values

import (
	"fmt"
	"strings"
	"testing"
)

// hostile are values that are small as text and made to cost much, by how often
// each repeats itself.
var hostile = map[string]func(n int) (text, flag string){
	"an exponent":            func(n int) (string, string) { return sized("1e" + strings.Repeat("9", n)), "" },
	"a negative exponent":    func(n int) (string, string) { return sized("1E-" + strings.Repeat("9", n)), "" },
	"digits":                 func(n int) (string, string) { return sized(strings.Repeat("9", n)), "" },
	"digits behind the dot":  func(n int) (string, string) { return sized("0." + strings.Repeat("0", n) + "1"), "" },
	"indexes in one another": func(n int) (string, string) { return "", "--set a" + strings.Repeat("[0]", n) + "=1" },
	"high indexes": func(n int) (string, string) {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "a%d[65535]=1,", i)
		}
		return "", "--set " + b.String() + "b=1"
	},
	"deep JSON": func(n int) (string, string) {
		return "", "--set-json a=" + strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n)
	},
}

func sized(quantity string) string { return "agents: {workspace: {size: " + quantity + "}}" }

// R20: hostile values cost what their length does and not its square: eight times as
// much of one takes some eight times the allocations, and each is refused with a word
// or two.
func TestHostileValuesCostTheirLength(t *testing.T) {
	for name, of := range hostile {
		t.Run(name, func(t *testing.T) {
			if once, more := cost(t, of, 2000), cost(t, of, 16_000); more > 16*once {
				t.Errorf("%.0f allocations for 2000, %.0f for eight times as many", once, more)
			}
		})
	}
}

func cost(t *testing.T, of func(int) (string, string), n int) float64 {
	text, given := of(n)
	in := Input{}
	if text != "" {
		in.Files = []string{write(t, "a.yaml", text)}
	} else {
		in.Flags = []Flag{flag(t, given)}
	}
	return testing.AllocsPerRun(1, func() {
		tree, found := Load(in)
		if found = append(found, tree.Check()...); !found.Refused() || len(found) > 2 {
			t.Fatalf("%d times: %d faults: %.300s", n, len(found), show(found))
		}
	})
}

// R20: an exponent that no resource has is told by its digits, before the library
// would count what it stands for.
func TestExponentsAreNotCounted(t *testing.T) {
	for exponent, want := range map[string]string{
		"99": "the quantity is beyond what Kubernetes keeps unchanged", "100": "not a quantity", "999": "not a quantity", "99999": "not a quantity",
		"-99": "the quantity is beyond what Kubernetes keeps unchanged", "-100": "not a quantity", "-99999": "not a quantity",
	} {
		if found := mustLoad(t, []string{sized("1e" + exponent)}).Check(); len(found) != 1 || found[0].Message != want {
			t.Errorf("1e%s: %+v", exponent, found)
		}
	}
}

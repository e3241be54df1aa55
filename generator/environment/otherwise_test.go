package environment

import (
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// R44: of a person's values, all that Helmfile reads otherwise is told, each at its
// place, and nothing else is; what a reference names is not shown.
func TestWhatHelmfileReadsOtherwiseIsTold(t *testing.T) {
	text := `date: 2024-01-01
short: [a, 2024-1-1]
stamp: { b: 2024-01-01T00:00:00Z }
2024-01-02: key
inside: "a ref+echo://hunter b"
secret: [{ c: secretref+vault://hunter/x }]
block: |
  line
  ref+file:///hunter
fine: ["2024-01-01", 12:30:45, ref+nothing, "ref://a", prefix+https://a, 1.4.0, 2024-01]
ref+echo://key: v
`
	docs, found := source.Parse(source.NewFile("kora.yaml", text), Limits)
	if found.Refused() {
		t.Fatal(found)
	}
	var lines []int
	for _, f := range Otherwise(docs[0]) {
		lines = append(lines, f.Line)
		if f.Code != faults.EnvironmentForm || f.Field == "" || f.Column == 0 || f.Fix == "" {
			t.Errorf("%+v", f)
		}
		if shown := f.Message + f.Found + f.Expected + f.Source + f.Fix; strings.Contains(shown, "hunter") {
			t.Errorf("what a reference names is shown: %q", shown)
		}
	}
	slices.Sort(lines)
	if want := []int{1, 2, 3, 4, 5, 6, 7}; !slices.Equal(lines, want) {
		t.Errorf("lines %v, want %v", lines, want)
	}
	if found := Otherwise(nil); len(found) != 0 {
		t.Error(found)
	}
}

package preflight

import (
	"slices"
	"testing"

	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/values"
)

// R55: a command that a check prints is given what the run was given, the facts of
// an environment as well.
func TestPrintedCommandsCarryTheEnvironment(t *testing.T) {
	facts := &source.Node{Kind: source.Mapping, Pos: source.Pos{File: source.NewFile("environments/mine.yaml", "")}}
	s := Source{Namespace: "kora-mine", Values: values.Input{
		Files: []string{"kora.yaml"}, More: []*source.Node{facts}, Flags: []values.Flag{{Kind: values.Set, Text: "a=b"}},
	}}
	want := []string{"-f", "kora.yaml", "-e", "environments/mine.yaml", "--set", "a=b", "--namespace", "kora-mine"}
	if got := s.flags(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

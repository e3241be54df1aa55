package preflight

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/runkora/kora/internal/kube"
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

// R55: under Helm a fix is a command of Helm's, with the cluster that Helm was told.
func TestFixesUnderHelm(t *testing.T) {
	s := Source{}
	t.Setenv("KUBECONFIG", "one.yaml")
	if got := s.place(); got != nil || !slices.Equal(program(), []string{"kora"}) {
		t.Errorf("%q %q", got, program())
	}
	t.Setenv("HELM_PLUGIN_DIR", "x")
	t.Setenv("HELM_PLUGIN_NAME", "kora")
	if got := s.place(); !slices.Equal(got, []string{"--kubeconfig", "one.yaml"}) || !slices.Equal(program(), []string{"helm", "kora"}) {
		t.Errorf("%q %q", got, program())
	}
	t.Setenv("KUBECONFIG", "one.yaml"+string(filepath.ListSeparator)+"two.yaml")
	if got := s.place(); got != nil {
		t.Errorf("%q", got)
	}
}

// R2, R55: what Helm was told beside a kubeconfig is in the commands too, but for the token.
func TestFixesNameWhatHelmWasGiven(t *testing.T) {
	s := Source{Place: kube.Place{Kubeconfig: "one.yaml", Given: kube.Given{Context: "there", Server: "https://a:1", User: "ann", Token: "planted"}}}
	want := []string{"--kubeconfig", "one.yaml", "--context", "there", "--server", "https://a:1", "--as", "ann"}
	if got := s.place(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

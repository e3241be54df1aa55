package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/runkora/kora/internal/kube"
	engine "github.com/runkora/kora/operator/preflight"
	state "github.com/runkora/kora/operator/preflight/facts"
	"github.com/runkora/kora/plugin/preflight"
	"github.com/runkora/kora/plugin/values"
)

// R55: where a fix is a command of kora's own, there is such a command, and it
// takes these flags.
func TestFixesAreCommandsOfKora(t *testing.T) {
	s := preflight.Source{
		Place: kube.Place{Kubeconfig: "config", Context: "here"}, Namespace: "apart",
		Values: values.Input{Flags: []values.Flag{{Kind: values.Set, Text: "global.trustDomain=example.com"}, {Kind: values.SetString, Text: "frontendHost=example.com"}}},
	}
	plan, found := s.Plan(t.Context(), nil)
	if found.Refused() {
		t.Fatalf("%+v", found)
	}
	f := state.Nothing("nobody looked")
	f.Namespaces, f.Asked = state.Known(map[string]state.Namespace{"apart": {Labels: map[string]string{"istio-injection": "enabled", "pod-security.kubernetes.io/enforce": "restricted"}}}), plan.Settings.Asked()
	f.Release = state.Known([]state.Answer{{Object: "Service apart/x", Refused: "x is invalid"}})
	n := map[string]int{}
	for _, o := range engine.Judge(engine.Checks(), f, plan.Settings) {
		for _, finding := range o.Findings {
			line, _, _ := strings.Cut(finding.Fix, " #")
			if _, own, ok := strings.Cut(line, "kora "); ok {
				n[understood(t, own)]++
			}
		}
	}
	if n["preflight"] == 0 || n["render"] == 0 {
		t.Errorf("%v", n)
	}
}

// understood holds a line to being one of kora's, and names the command.
func understood(t *testing.T, line string) string {
	t.Helper()
	root := newRoot(&console{streams: streams{in: strings.NewReader(""), out: &bytes.Buffer{}, err: &bytes.Buffer{}}})
	cmd, args, err := root.Find(strings.Fields(line))
	if err == nil {
		err = cmd.ParseFlags(args)
	}
	if err != nil && err != pflag.ErrHelp || cmd == root || cmd.Flags().NArg() > 0 {
		t.Errorf("kora %s: %v", line, err)
	}
	return cmd.Name()
}

package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	engine "github.com/runkora/kora/operator/preflight"
)

// completed is what the shell would be told of a line, its last word unfinished.
func completed(t *testing.T, environ []string, words ...string) (proposed []string, directive string) {
	t.Helper()
	var out, errs bytes.Buffer
	if got := run(append([]string{"__complete"}, words...), streams{strings.NewReader(""), &out, &errs}, environ); got != exitDone {
		t.Fatalf("%q ends with %d: %s", words, got, errs.String())
	}
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, ":"); ok {
			return proposed, rest
		}
		proposed = append(proposed, strings.Split(line, "\t")[0])
	}
	t.Fatalf("%q has no directive: %s", words, out.String())
	return nil, ""
}

// R2: the shell is told what a flag takes, and each of the words is taken.
func TestShellsCompleteTheValuesOfFlags(t *testing.T) {
	for _, c := range []struct {
		line []string
		want []string
	}{
		{[]string{"render", "-o", ""}, []string{"yaml", "json", "table"}},
		{[]string{"preflight", "-o", ""}, []string{"text", "json", "junit"}},
		{[]string{"preflight", "--output", "ju"}, []string{"junit"}},
		{[]string{"verify", "release", "-o", ""}, []string{"text", "json"}},
		{[]string{"size", "-o", "t"}, []string{"text"}},
		{[]string{"upgrade", "plan", "-o", ""}, []string{"text", "json"}},
		{[]string{"generate", "helmfile", "--plan="}, []string{"table", "mermaid"}},
		{[]string{"validate", "--diagnostics", ""}, []string{"text", "json", "sarif", "junit"}},
		{[]string{"preflight", "--only", "istio,spire,no"}, []string{"istio,spire,nodes", "istio,spire,node-daemons", "istio,spire,node-taints"}},
		{[]string{"preflight", "--skip", "postg"}, []string{"postgres"}},
	} {
		got, directive := completed(t, nil, c.line...)
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) || directive != "4" && directive != "6" {
			t.Errorf("%q: %q and %s, want %q and no files", c.line, got, directive, c.want)
		}
	}
	if got, _ := completed(t, nil, "preflight", "--only", ""); len(got) < len(engine.Checks()) {
		t.Errorf("--only proposes %q", got)
	}
	if got, directive := completed(t, nil, "preflight", "--bundle", ""); len(got) != 0 || directive != "16" {
		t.Errorf("--bundle proposes %q and %s, want folders", got, directive)
	}
	if got, directive := completed(t, nil, "validate", "-f", ""); len(got) != 0 || directive != "0" {
		t.Errorf("-f proposes %q and %s, want files", got, directive)
	}
}

// R2: no flag that takes a form is without its words, of whatever command: each
// word stands in the flag's own help.
func TestEveryFormOfOutputIsProposed(t *testing.T) {
	count := 0
	throughout(newRoot(&console{}), func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if kind, _ := pflag.UnquoteUsage(f); kind != "FORMAT" {
				return
			}
			count++
			words, _ := completed(t, nil, append(strings.Fields(cmd.CommandPath())[1:], "--"+f.Name+"=")...)
			if len(words) < 2 {
				t.Errorf("%s --%s proposes %q", cmd.CommandPath(), f.Name, words)
			}
			for _, w := range words {
				if !strings.Contains(f.Usage, w) {
					t.Errorf("%s --%s proposes %s, and its help says %q", cmd.CommandPath(), f.Name, w, f.Usage)
				}
			}
		})
	})
	if count < 8 {
		t.Errorf("%d flags found", count)
	}
}

// R2: a shell that nothing completes is a line that was not understood.
func TestCompletionOfAnotherShellIsRefused(t *testing.T) {
	for _, words := range [][]string{{"completion", "tcsh"}, {"completion", "bash", "more"}, {"completion", "bsh"}} {
		var out, errs bytes.Buffer
		if got := run(words, streams{strings.NewReader(""), &out, &errs}, nil); got != exitUsage || out.Len() > 0 {
			t.Errorf("%q ends with %d and prints %q, %q", words, got, out.String(), errs.String())
		}
	}
	for _, shell := range []string{"bash", "fish", "powershell", "zsh"} {
		var out, errs bytes.Buffer
		if got := run([]string{"completion", shell}, streams{strings.NewReader(""), &out, &errs}, nil); got != exitDone || !strings.Contains(out.String(), "kora") {
			t.Errorf("%s ends with %d: %s", shell, got, errs.String())
		}
	}
}

// R43: under Helm the help says what is typed there, and under no other name.
func TestHelpUnderHelmSaysHelmKora(t *testing.T) {
	helm := []string{"HELM_PLUGIN_DIR=/plugins/kora", "HELM_PLUGIN_NAME=kora", "HELM_BIN=helm"}
	help := func(environ []string, words ...string) string {
		var out bytes.Buffer
		if got := run(words, streams{strings.NewReader(""), &out, &out}, environ); got != exitDone {
			t.Fatalf("%q ends with %d: %s", words, got, out.String())
		}
		return out.String()
	}
	root := newRoot(&console{})
	throughout(root, func(cmd *cobra.Command) {
		words := append([]string{"help"}, strings.Fields(cmd.CommandPath())[1:]...)
		alone, under := help(nil, words...), help(helm, words...)
		if strings.Contains(alone, "helm kora") {
			t.Errorf("%q alone:\n%s", words, alone)
		}
		_, below, _ := strings.Cut(under, "Usage:\n")
		for line := range strings.Lines(below) {
			if strings.HasPrefix(line, "  kora ") || strings.Contains(line, "&& kora ") {
				t.Errorf("%q under Helm says %q", words, line)
			}
		}
		if !strings.Contains(below, "  helm kora") {
			t.Errorf("%q under Helm:\n%s", words, under)
		}
	})
	var errs bytes.Buffer
	if run([]string{"rendr"}, streams{strings.NewReader(""), &errs, &errs}, helm); !strings.Contains(errs.String(), `see "helm kora --help"`) {
		t.Errorf("a wrong command: %s", errs.String())
	}
	if got, _ := completed(t, helm, "ren"); !slices.Equal(got, []string{"render"}) {
		t.Errorf("under Helm completes %q", got)
	}
}

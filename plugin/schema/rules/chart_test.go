package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/schema"
	"github.com/runkora/kora/plugin/schema/helmtest"
	"github.com/runkora/kora/plugin/values"
)

// R20: what the chart refuses by itself, for people who never run the plugin, the
// plugin tells too, in the same sentence, for all values that either has a test of.
func TestChartAndPluginSayTheSameSentences(t *testing.T) {
	own, release := embedded(t), helmChart(t)
	count := 0
	for name, tree := range refused(t) {
		t.Run(name, func(t *testing.T) {
			lines := ofChart(t, release, tree)
			found := Check(tree, own)
			count += len(lines)
			for _, line := range lines {
				if !said(line, found) {
					t.Errorf("the chart says\n%s\nand the plugin\n%s", line, report(t, found))
				}
			}
		})
	}
	if count < 60 {
		t.Errorf("only %d sentences were compared", count)
	}
}

// R20: every rule of the plugin that the chart has as well is told by the chart,
// where nothing that it lacks keeps it from looking.
func TestChartTellsWhatThePluginTells(t *testing.T) {
	own, release := embedded(t), helmChart(t)
	shared := map[faults.Code]bool{
		faults.ValueMissing: true, faults.NothingGiven: true, faults.SecretsOnly: true, faults.BoundsReverse: true,
		faults.SplitPlacement: true, faults.BadSize: true, faults.ThemeVersion: true, faults.ThemeMajor: true, faults.ThemeName: true,
		faults.NoNode: true, faults.Contradiction: true,
	}
	for name, tree := range refused(t) {
		lines := ofChart(t, release, tree)
		given := strings.Contains(strings.Join(lines, "\n"), "nothing is behind it") || strings.Contains(strings.Join(lines, "\n"), "wrong type")
		for _, f := range Check(tree, own) {
			if !shared[f.Code] || given || f.Code == faults.ValueMissing && strings.Contains(f.Field, "[") {
				continue
			}
			told := false
			for _, line := range lines {
				told = told || said(line, faults.List{f})
			}
			if !told {
				t.Errorf("%s: the plugin says %s: %s, and the chart\n%s", name, f.Field, f.Message, strings.Join(lines, "\n"))
			}
		}
	}
}

// said reports whether a line of the chart is the sentence of a fault: the path,
// the message, and what is expected or what to do.
func said(line string, found faults.List) bool {
	for _, f := range found {
		at := f.Field
		if f.Key != "" {
			at = f.Key
		}
		rest, ok := strings.CutPrefix(line, at+": "+f.Message)
		after, more := strings.CutPrefix(rest, ": ")
		if ok && (rest == "" || more && (strings.HasPrefix(f.Expected, after) || after == f.Fix)) {
			return true
		}
	}
	return false
}

// refused are the values of both archives: the charts' and this package's.
func refused(t *testing.T) map[string]*values.Tree {
	t.Helper()
	out := map[string]*values.Tree{}
	archive, err := os.ReadFile("../../../testdata/releases/refused.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range strings.Split(string(archive), "\n=== ")[1:] {
		name, each, _ := strings.Cut(each, "\n")
		text, _, _ := strings.Cut(strings.ReplaceAll(each, "@70000", strings.Repeat("x", 70000)), "\n---\n")
		if !strings.Contains(text, "trustDomain") {
			text += "\nglobal: { trustDomain: example.com }\nfrontendHost: example.com\n"
		}
		tree, found := values.Read(source.NewFile("values.yaml", text))
		if found.Refused() {
			t.Fatalf("%s: %v", name, found)
		}
		out["refused/"+name] = tree
	}
	at, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range corpus(t) {
		if tree, found := c.load(t); !found.Refused() {
			out[filepath.Base(c.path)] = tree
		}
		t.Chdir(at)
	}
	return out
}

// ofChart are the lines that the chart fails with, none where it does not.
func ofChart(t *testing.T, release *chart.Chart, tree *values.Tree) []string {
	t.Helper()
	_, err := helmtest.Render(t, release, schema.Plain(tree.Touched()))
	if err == nil {
		return nil
	}
	_, lines, ok := strings.Cut(err.Error(), "): \n")
	if !ok {
		return nil // a template stumbles where the schema would have refused
	}
	return strings.Split(strings.TrimSpace(lines), "\n")
}

// helmChart is the embedded chart as Helm loads it, with the checks alone.
func helmChart(t *testing.T) *chart.Chart {
	t.Helper()
	return helmtest.Chart(t, "templates/checks/")
}

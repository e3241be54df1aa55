package rules

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/values"
)

func read(t testing.TB, text string) *values.Tree {
	t.Helper()
	tree, found := values.Read(source.NewFile("v.yaml", text))
	if found.Refused() {
		t.Fatal(found)
	}
	return tree
}

// R20: what is never nothing is the same to the chart and to the plugin.
func TestShapeIsTheCharts(t *testing.T) {
	template, err := os.ReadFile("../../../charts/kora/templates/_check_given.tpl")
	if err != nil {
		t.Fatal(err)
	}
	for name, own := range map[string]string{"kora.shape": Shape, "kora.serviceShape": ServiceShape} {
		found := regexp.MustCompile(`(?s){{- define "` + name + `" -}}\n(.*?){{- end }}`).FindSubmatch(template)
		if found == nil {
			t.Fatalf("no %s", name)
		}
		if diff := cmp.Diff(string(found[1]), own); diff != "" {
			t.Errorf("%s (-chart +plugin):\n%s", name, diff)
		}
	}
}

// R20: the services are those of the chart's table.
func TestServicesAreTheCharts(t *testing.T) {
	template, err := os.ReadFile("../../../charts/kora/templates/_services.tpl")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^([a-zA-Z]+):\n`).FindAllStringSubmatch(string(template), -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	if diff := cmp.Diff(names, Services()); diff != "" {
		t.Errorf("(-chart +plugin):\n%s", diff)
	}
}

// R20: every example of the guides and every release of testdata is taken.
func TestGoodValuesAreTaken(t *testing.T) {
	chart := embedded(t)
	for _, text := range []string{
		"global: {trustDomain: example.com}\nfrontendHost: example.com",
		"global: {trustDomain: example.com, imageTag: null}\nfrontendHost: example.com\nagents: {podAnnotations: {a: 'on'}}",
		"global: {trustDomain: example.com}\nfrontendHost: example.com\ngateway: {create: false, byo: {namespace: a}}",
		"global: {trustDomain: example.com}\nfrontendHost: example.com\nnetworkPolicy: {externalServices: [{cidr: '2001:db8::/32', ports: [5432]}]}",
	} {
		if found := Check(read(t, text), chart); len(found) > 0 {
			t.Errorf("%s:\n%s", text, report(t, found))
		}
	}
	for _, release := range []string{"kora", "node-pools", "own-gateway", "scale-out", "telemetry", "theme", "warming"} {
		dir := "../../../testdata/releases/" + release
		in := values.Input{Files: []string{"../../../testdata/releases/kora/values.yaml", dir + "/values.yaml"}}
		if _, err := os.Stat(dir + "/theme.yaml"); err == nil {
			in.Flags = []values.Flag{{Kind: values.SetFile, Text: "theme.document=" + dir + "/theme.yaml"}}
		}
		tree, found := values.Load(in)
		if found = append(found, Check(tree, chart)...); found.Refused() {
			t.Errorf("%s:\n%s", release, report(t, found))
		}
	}
}

// Another chart is judged by its own schema and values alone, and kora's rules are
// for kora's: what must be given may be among the chart's own values.
func TestAnotherChartHasItsOwnSchema(t *testing.T) {
	chart := Chart{
		Name:   "other",
		Values: []byte("port: 80\nname: a\n"),
		Schema: []byte(`{"required": ["port", "name"], "properties": {"port": {"type": "integer"}, "name": {}}, "additionalProperties": false}`),
	}
	if found := Check(read(t, "name: b"), chart); len(found) > 0 {
		t.Error(report(t, found))
	}
	got := report(t, Check(read(t, "nme: b\nname:\nagents: {workspace: {size: x}}"), chart))
	for _, said := range []string{`v.yaml:1:1: unknown field "nme"`, `v.yaml:3:1: unknown field "agents"`} {
		if !strings.Contains(got, said) {
			t.Errorf("no %q in\n%s", said, got)
		}
	}
	if strings.Contains(got, "quantity") {
		t.Errorf("kora's rules:\n%s", got)
	}
	if found := Check(read(t, "a: 1"), Chart{Name: "bare"}); len(found) > 0 {
		t.Errorf("a chart without a schema:\n%s", report(t, found))
	}
	if got := report(t, Check(read(t, "a: 1"), Chart{Name: "bad", Schema: []byte("{"), Values: []byte("a: {")})); !strings.Contains(got, "bad/values.schema.json") || !strings.Contains(got, "bad/values.yaml:1") {
		t.Error(got)
	}
}

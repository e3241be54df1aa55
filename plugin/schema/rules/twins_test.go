package rules

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/generator/environment"
)

// template reads a named template of the chart.
func template(t *testing.T, file, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../../charts/kora/templates/" + file)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?s){{- define "` + regexp.QuoteMeta(name) + `" -}}\n(.*?){{- end }}`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("no %s in %s", name, file)
	}
	return string(found[1])
}

// R31: the ports of nodes are the same to the chart and to the plugin.
func TestHostPortsAreTheCharts(t *testing.T) {
	var of map[string]string
	if err := yaml.Unmarshal([]byte(template(t, "_check_network.tpl", "kora.hostPorts")), &of); err != nil {
		t.Fatal(err)
	}
	own := map[string]string{}
	for port, owner := range HostPorts() {
		own[fmt.Sprint(port)] = owner
	}
	if diff := cmp.Diff(of, own); diff != "" {
		t.Errorf("(-chart +plugin):\n%s", diff)
	}
}

// R31: the ports that agents must reach are the same to the chart and to the plugin,
// which has the operator's.
func TestReachedPortsAreTheCharts(t *testing.T) {
	var own []string
	for _, port := range Reached() {
		own = append(own, fmt.Sprint(port))
	}
	if diff := cmp.Diff(strings.Fields(template(t, "_check_network.tpl", "kora.reachedPorts")), own); diff != "" {
		t.Errorf("(-chart +plugin):\n%s", diff)
	}
}

// R27: what tells Helm or Argo CD of an object is the same to the chart and to the
// plugin, and takes in what the two read.
func TestToolKeysAreTheCharts(t *testing.T) {
	if diff := cmp.Diff(template(t, "_check_pods.tpl", "kora.toolKey"), ToolKey+"\n"); diff != "" {
		t.Errorf("(-chart +plugin):\n%s", diff)
	}
	for key, tool := range map[string]bool{
		"helm.sh/hook": true, "helm.sh/hook-weight": true, "helm.sh/resource-policy": true, "meta.helm.sh/release-name": true,
		"argocd.argoproj.io/hook": true, "argocd.argoproj.io/hook-delete-policy": true, "argocd.argoproj.io/sync-wave": false,
		"example.com/helm.sh": false, "nothelm.sh/hook": false, "service.beta.kubernetes.io/aws-load-balancer-type": false,
	} {
		if toolKey.MatchString(key) != tool {
			t.Errorf("%s", key)
		}
	}
}

// R21: the namespaces of others are the same to the chart, to the plugin and to an
// environment.
func TestReservedNamespacesAreTheCharts(t *testing.T) {
	if diff := cmp.Diff(template(t, "_check_values.tpl", "kora.reservedNamespace"), environment.Reserved+"\n"); diff != "" {
		t.Errorf("(-chart +plugin):\n%s", diff)
	}
}

// cidrs are a few hundred texts that are blocks of addresses, or nearly.
func cidrs(r *rand.Rand) []string {
	out := []string{"", "/", "::/0", "0.0.0.0/0", "1.2.3.4", "1.2.3.4/", "1.2.3.4/-1", "1.2.3.4/00", "::1/128", "::1%eth0/128", "::ffff:0:0/96", "::ffff:1.2.3.4/128", "0:0:0:0:0:ffff::/96", "::FFFF:0a00:0/104", "1::2::3/64", "12345::/16", "fe80::/10", "FE80::/9", ":::/1", "::1.2.3/64", "::256.1.1.1/128", "1:2:3:4:5:6:1.2.3.4/128", "1:2:3:4:5:6:7:1.2.3.4/128", "[::]/0", "0.0.0.0/32 ", "10.0.0.0/8\n"}
	pieces := []string{"0", "1", "a", "10", "ff", "255", "256", "01", "0000", "ffff", ":", "::", ".", "/"}
	for range 150 {
		out = append(out, fmt.Sprintf("%d.%d.%d.%d/%d", r.IntN(257), r.IntN(256), r.IntN(256), r.IntN(2)*r.IntN(256), r.IntN(34)))
		var b strings.Builder
		for i := range 1 + r.IntN(8) {
			if i > 0 {
				b.WriteString([]string{":", ":", ":", "::"}[r.IntN(4)])
			}
			fmt.Fprintf(&b, "%x", r.IntN(3)*r.IntN(65536))
		}
		out = append(out, fmt.Sprintf("%s/%d", b.String(), r.IntN(8)*16), fmt.Sprintf("%s::/%d", b.String(), r.IntN(130)))
		var junk strings.Builder
		for range 1 + r.IntN(9) {
			junk.WriteString(pieces[r.IntN(len(pieces))])
		}
		out = append(out, junk.String()+"/64")
	}
	return out
}

// R25: the chart, which has nothing but a language of templates, judges each block
// of addresses as the plugin does.
func TestChartAndPluginJudgeEveryBlockAlike(t *testing.T) {
	all := cidrs(rand.New(rand.NewPCG(25, 1)))
	text, err := yaml.Marshal(map[string]any{"networkPolicy": map[string]any{"kubernetesApiCidrs": all}})
	if err != nil {
		t.Fatal(err)
	}
	lines := ofChart(t, helmChart(t), read(t, needs+string(text)))
	told := map[string]string{}
	for _, line := range lines {
		at, rest, _ := strings.Cut(line, ": ")
		told[at] = rest
	}
	good := 0
	for i, each := range all {
		message, _, fix := badNetwork(each)
		got, refused := told[fmt.Sprintf("networkPolicy.kubernetesApiCidrs[%d]", i)]
		if !refused && message == "" {
			good++
		} else if !strings.HasPrefix(got, fmt.Sprintf("%q %s", each, message)) || refused != (message != "") {
			t.Errorf("%q: the chart says %q, the plugin %q", each, got, message)
		} else if _, after, more := strings.Cut(got, "the network: "); more && after != fix {
			t.Errorf("%q: the chart says %q, the plugin %q", each, after, fix)
		}
	}
	if good < 20 || len(lines) < 200 {
		t.Errorf("%d good, %d refused", good, len(lines))
	}
}

// needs are the values that must be given.
const needs = "global: { trustDomain: example.com }\nfrontendHost: example.com\n"

// R22, R23: the variables that kora sets are those of the chart's table.
func TestVariablesAreTheCharts(t *testing.T) {
	var of map[string]struct{ Secrets []string }
	if err := yaml.Unmarshal([]byte(template(t, "_services.tpl", "kora.services")), &of); err != nil {
		t.Fatal(err)
	}
	deployments, err := os.ReadFile("../../../charts/kora/templates/deployments.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var fixed []string
	for _, m := range regexp.MustCompile(`(?m)^            - name: ([A-Z_]+)$`).FindAllStringSubmatch(string(deployments), -1) {
		fixed = append(fixed, m[1])
	}
	own := regexp.MustCompile(`(?m)^            - \{ name: ([A-Z_]+), valueFrom: `).FindSubmatch(deployments)[1]
	for _, service := range Services() {
		want := append(slices.Clone(fixed), of[service].Secrets...)
		if service == "operator" {
			want = append(want, string(own))
		}
		if diff := cmp.Diff(want, Variables(service)); diff != "" {
			t.Errorf("%s (-chart +plugin):\n%s", service, diff)
		}
	}
}

// R23: the settings that the rest of the release follows are the same to the chart
// and to the plugin, and each is one of a module.
func TestPinnedSettingsAreTheCharts(t *testing.T) {
	if diff := cmp.Diff(template(t, "_check_pinned.tpl", "kora.pinned"), Pinned); diff != "" {
		t.Errorf("(-chart +plugin):\n%s", diff)
	}
	var doc struct {
		Defs map[string]struct{ Properties map[string]any } `json:"$defs"`
	}
	if err := yaml.Unmarshal(embedded(t).Schema, &doc); err != nil {
		t.Fatal(err)
	}
	for _, module := range pinned().Fields {
		name := strings.ReplaceAll(strings.TrimPrefix(module.Key.Value, "internal/"), "/", ".")
		for _, f := range module.Value.Fields {
			if _, known := doc.Defs["module:"+name].Properties[f.Key.Value]; !known {
				t.Errorf("%s has no %s", module.Key.Value, f.Key.Value)
			}
		}
	}
}

// R32, R35: a theme that the plugin takes is refused by no chart, which reads YAML
// with expressions; and what is none is refused by both.
func TestChartAndPluginTakeTheSameThemes(t *testing.T) {
	release, own := helmChart(t), embedded(t)
	for text, good := range map[string]bool{
		"koraVersion: 1.4.0\n":                                          true,
		"---\nkoraVersion: 1.4.0\n---\n":                                true,
		"# a\n\n--- # b\nkoraVersion: 1.4.0 # ---\n---\n# nothing\n":    true,
		"koraVersion: 1.4.0\r\nproductName: A & B\r\n":                  true,
		"koraVersion: 1.4.0\nproductName: 'A & B'\nnote: '*x'\n":        true,
		"koraVersion: 1.4.0\nnote: \"&x\"\nother: a *b\n# c: *d\n":      true,
		"koraVersion: 1.4.0\nnote: |\n  ---\n  - text\n":                true,
		"{koraVersion: 1.4.0, productName: A+B}":                        true,
		"%YAML 1.1\n---\nkoraVersion: 1.4.0\n":                          true,
		"koraVersion: 1.4.0\nproductName: \u0915\u093f\n":               true,
		"koraVersion: 1.4.0\n--- {productName: A}\n":                    false,
		"koraVersion: 1.4.0\n---\n\n# b\n\nproductName: Ab\n":           false,
		"koraVersion: 1.4.0\r\n---\r\nproductName: Ab\r\n":              false,
		"a: &x 1\nkoraVersion: 1.4.0\n":                                 false,
		"koraVersion: 1.4.0\nslots: {logo: &x {dark: https://a/b.svg}}": false,
		"koraVersion: 1.4.0\nproductName: o\u0308\n":                    false,
		"koraVersion: 1.4.0\nproductName: n\u0303\n":                    false,
		"\n \n# a\n": false,
		"- a":        false,
		"12":         false,
		"true":       false,
	} {
		yes, err := yaml.Marshal(map[string]any{"theme": map[string]any{"document": text}})
		if err != nil {
			t.Fatal(err)
		}
		tree := read(t, needs+string(yes))
		lines, found := ofChart(t, release, tree), Check(tree, own)
		if len(lines) == 0 != good || found.Refused() == good {
			t.Errorf("%q: the chart says %q, the plugin\n%s", text, lines, report(t, found))
		}
	}
}

package agreement

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/charts"
	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/generator/releases"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

const least = "trustDomain: td.example.com\nfrontendHost: kora.example.com\n"

func placed(t *testing.T, name, text string) environment.Placed {
	t.Helper()
	env, found := environment.ReadPlaced(source.NewFile(name, text))
	if found.Refused() {
		t.Fatalf("%s: %+v", text, found)
	}
	return env
}

// compared is what Check says of values and facts.
func compared(t *testing.T, values, facts string) faults.List {
	t.Helper()
	docs, found := source.Parse(source.NewFile("kora.yaml", values), source.DefaultLimits)
	if found.Refused() || len(docs) != 1 {
		t.Fatalf("%s: %+v", values, found)
	}
	return Check(docs[0], placed(t, "e.yaml", facts))
}

// nested is a value below a path, one line a key.
func nested(path, value string) string {
	var b strings.Builder
	keys := strings.Split(path, ".")
	for i, key := range keys {
		b.WriteString("\n" + strings.Repeat("  ", i) + key + ":")
	}
	return strings.TrimPrefix(b.String()+" "+value, "\n") + "\n"
}

// facts with it, after what is required.
func with(f fact, value string) string {
	for line := range strings.Lines(least) {
		if strings.HasPrefix(line, f.env+":") {
			return strings.Replace(least, line, f.env+": "+value+"\n", 1)
		}
	}
	return least + nested(f.env, value)
}

// samples are three values for each sort: one, the same otherwise written, another.
func samples(f fact) (one, same, other string) {
	switch {
	case f.env == "istio.outboundTrafficPolicy":
		return "REGISTRY_ONLY", `"REGISTRY_ONLY"`, "ALLOW_ANY"
	case f.env == "workspace.accessModes":
		return "[ReadWriteOnce, ReadWriteMany]", "[ReadWriteMany, ReadWriteOnce]", "[ReadWriteOnce]"
	case f.env == "imageRegistry":
		return "one.example.com", "'one.example.com'", "other.example.com"
	}
	switch f.sort {
	case amount:
		return "10Gi", "10240Mi", "11Gi"
	case words:
		return "[a, b]", "[b, a]", "[a]"
	case labels:
		return "{ pool: a }", "{ pool: 'a', further: b }", "{ pool: b }"
	case taints:
		return "[{ key: a, operator: Exists }]", "[{ operator: Exists, key: a, value: '' }]", "[{ key: b, operator: Exists }]"
	case document:
		return "theme.yaml", "", "'a: b'"
	}
	return "one", "'one'", "other"
}

// R38, R39: of every fact, a values file that says otherwise is told at its own
// place and with the place in the environment; one that says the same is not.
func TestEveryDisagreementIsToldWithBothPlaces(t *testing.T) {
	for _, f := range facts() {
		t.Run(f.env, func(t *testing.T) {
			one, same, other := samples(f)
			env := with(f, one)
			if same != "" {
				if found := compared(t, nested(f.value, same), env); len(found) != 0 {
					t.Errorf("%s beside %s: %+v", same, one, found)
				}
			}
			found := compared(t, nested(f.value, other), env)
			if len(found) != 1 || found[0].Code != faults.EnvironmentSplit || !strings.HasPrefix(found[0].Field, f.value) {
				t.Fatalf("%+v", found)
			}
			at := placed(t, "e.yaml", env).At(f.env)
			where := fmt.Sprintf("e.yaml:%d:%d", at.Line, at.Column)
			if found[0].File != "kora.yaml" || found[0].Line != strings.Count(nested(f.value, other), "\n") || !strings.Contains(found[0].Message, where) || !strings.Contains(found[0].Fix, where) {
				t.Errorf("no %s in %+v", where, found[0])
			}
		})
	}
}

// R39: what the environment leaves out stands as the values have it, unless others
// than kora have to know: then it is told where to write it.
func TestWhatTheValuesAloneSay(t *testing.T) {
	for _, f := range facts() {
		one, _, other := samples(f)
		found := compared(t, nested(f.value, one), least)
		switch {
		case f.env == "trustDomain" || f.env == "frontendHost": // which no environment leaves out
		case f.env == "systemNamespace": // which has a default of its own
			if len(found) != 1 || !strings.Contains(found[0].Message, "e.yaml leaves systemNamespace out") || !strings.Contains(found[0].Fix, "systemNamespace: one in e.yaml") {
				t.Errorf("%+v", found)
			}
		case f.alone != "":
			if len(found) != 1 || found[0].Code != faults.EnvironmentSplit || !strings.Contains(found[0].Message, f.who+" would have "+f.alone) || !strings.Contains(found[0].Fix, "write "+f.env+": "+one+" in e.yaml") {
				t.Errorf("%s: %+v", f.env, found)
			}
		case len(found) != 0:
			t.Errorf("%s: %+v", f.env, found)
		}
		// What says nothing agrees with everything.
		for _, nothing := range []string{"null", "~", "", map[sort]string{words: "[]", labels: "{}", taints: "[]"}[f.sort]} {
			if found := compared(t, nested(f.value, nothing)+"config: {}\n", with(f, map[bool]string{true: one, false: other}[f.sort == document])); len(found) != 0 {
				t.Errorf("%s: %q: %+v", f.env, nothing, found)
			}
		}
	}
	if found := compared(t, "istio: { outboundTrafficPolicy: ALLOW_ANY, revision: '' }\n", least); len(found) != 0 {
		t.Errorf("what is so anyway: %+v", found)
	}
}

// R15, R38: all come in one run, in whatever YAML they were written.
func TestOddValuesAreCompared(t *testing.T) {
	for name, c := range map[string]struct {
		values string
		fields []string
	}{
		"all at once":   {"global: { trustDomain: a, systemNamespace: b }\nfrontendHost: c\nistio: { revision: d, outboundTrafficPolicy: REGISTRY_ONLY }\nspire: { className: e }\n", []string{"global.trustDomain", "frontendHost", "global.systemNamespace", "istio.revision", "istio.outboundTrafficPolicy", "spire.className"}},
		"alias":         {"x: &x { trustDomain: a }\nglobal: *x\n", []string{"global.trustDomain"}},
		"alias of text": {"x: &x a\nglobal: { trustDomain: *x }\n", []string{"global.trustDomain"}},
		"merge key":     {"x: &x { revision: d }\nistio:\n  <<: *x\n", []string{"istio.revision"}},
		"merge wins":    {"x: &x { revision: d }\nistio:\n  <<: *x\n  revision: ''\n", nil},
		"block text":    {"istio:\n  revision: |-\n    d\n", []string{"istio.revision"}},
		"number":        {"istio: { revision: 1 }\n", []string{"istio.revision"}},
		"boolean":       {"frontendHost: true\n", []string{"frontendHost"}},
		"plain word":    {"istio: { revision: on }\n", []string{"istio.revision"}},
		"list for text": {"global: { trustDomain: [a] }\n", []string{"global.trustDomain"}},
		"text for map":  {"istio: REGISTRY_ONLY\n", []string{"istio"}},
		"list for map":  {"global: [trustDomain]\n", []string{"global"}},
		"text for pool": {"agents: { workloads: { sandbox: a } }\n", []string{"agents.workloads.sandbox"}},
		"null for map":  {"istio: null\nglobal: ~\nagents:\n", nil},
		"misspelt":      {"istio: { outboundTraficPolicy: REGISTRY_ONLY }\nspire: { classname: a }\nagents: { workspace: { sizes: 1Gi } }\n", []string{"istio.outboundTraficPolicy", "spire.classname", "agents.workspace.sizes"}},
		"null item":     {"global: { imagePullSecrets: [null] }\n", []string{"global.imagePullSecrets[0]"}},
		"named secrets": {"global: { imagePullSecrets: [{ name: a }] }\n", nil},
		"wrong taint":   {"agents: { workloads: { sandbox: { tolerations: [{ kye: a }] } } }\n", []string{"agents.workloads.sandbox.tolerations[0].kye"}},
		"label number":  {"agents: { workloads: { sandbox: { nodeSelector: { a: 1 } } } }\n", []string{"agents.workloads.sandbox.nodeSelector.a"}},
		"others":        {"config: { db: { host: a } }\nnetworkPolicy: { enabled: false }\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range compared(t, c.values, least) {
				got = append(got, f.Field)
				if f.File != "kora.yaml" || f.Line == 0 || f.Column == 0 || f.Message == "" {
					t.Errorf("%+v", f)
				}
			}
			if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(c.fields))) {
				t.Errorf("got %q", got)
			}
		})
	}
}

// R38: what an environment injects into kora is compared, all of it; the values
// that a person starts with agree with the environment that they start with, and
// so do the chart's own.
func TestWhatIsInjectedIsCompared(t *testing.T) {
	full := least + "imageRegistry: r.example.com\nimagePullSecrets: [p]\nistio: { revision: r1, outboundTrafficPolicy: REGISTRY_ONLY }\nworkspace: { storageClassName: s, accessModes: [ReadWriteMany], size: 1Gi }\n"
	for _, pool := range []string{"sessionManager", "sandbox"} {
		full += nested("nodePools."+pool, "{ nodeSelector: { a: b }, tolerations: [{ key: k }] }")
		full = strings.Replace(full, "nodePools:\n  sandbox", "  sandbox", 1)
	}
	template, err := releases.Template("kora.facts.yaml.gotmpl")
	if err != nil {
		t.Fatal(err)
	}
	out, err := placed(t, "e.yaml", full).NewRenderer().Render("facts", template)
	if err != nil {
		t.Fatal(err)
	}
	var injected map[string]any
	if err := yaml.UnmarshalStrict([]byte(out), &injected); err != nil {
		t.Fatal(err)
	}
	known := []string{classValue}
	for _, f := range facts() {
		known = append(known, f.value)
	}
	count := 0
	for _, path := range leaves(injected, "", known) {
		if count++; !slices.Contains(known, path) {
			t.Errorf("%s is injected and not compared", path)
		}
	}
	if count != len(facts())-2+1 { // systemNamespace is the release's, theme a file; the class is no fact
		t.Errorf("%d values are injected", count)
	}
	if found := compared(t, releases.KoraValues(), releases.ExampleEnvironment()); len(found) != 0 {
		t.Errorf("%+v", found)
	}
	if found := compared(t, chartValues(t), least); len(found) != 0 {
		t.Errorf("the chart's own: %+v", found)
	}
}

func leaves(v any, at string, known []string) []string {
	m, ok := v.(map[string]any)
	if !ok || slices.Contains(known, at) {
		return []string{at}
	}
	var out []string
	for key, below := range m {
		out = append(out, leaves(below, strings.TrimPrefix(at+"."+key, "."), known)...)
	}
	return out
}

func chartValues(t *testing.T) string {
	t.Helper()
	files, err := charts.Open(charts.Kora)
	if err != nil {
		t.Fatal(err)
	}
	f, err := files.Open("values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	text := make([]byte, info.Size())
	if _, err := f.Read(text); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// R38, R39: two environments of one name are compared fact by fact; what only is
// written otherwise does not differ.
func TestTheEnvironmentThatIsKeptIsTheSame(t *testing.T) {
	kept := placed(t, "out/environments/e.yaml", least+"istio:\n  revision: r1\nnodePools: { sandbox: { nodeSelector: { a: b } } }\n")
	same := "# otherwise written\nfrontendHost: 'kora.example.com'\ntrustDomain: td.example.com\nclusterName: kora\nistio: { revision: r1 }\nnodePools: { sandbox: { nodeSelector: { a: b } } }\n"
	if found := Kept(placed(t, "e.yaml", same), kept); len(found) != 0 {
		t.Errorf("%+v", found)
	}
	found := Kept(placed(t, "e.yaml", "trustDomain: other\nfrontendHost: kora.example.com\nnodePools: { sandbox: { nodeSelector: { c: d } } }\n"), kept)
	want := map[string]string{ // the place in what was named, and in what is kept
		"trustDomain": "e.yaml:1:14 out/environments/e.yaml:1:14", "istio.revision": "e.yaml:0:0 out/environments/e.yaml:4:13",
		"nodePools.sandbox.nodeSelector": "e.yaml:3:39 out/environments/e.yaml:5:39",
	}
	for _, f := range found {
		own, other, _ := strings.Cut(want[f.Field], " ")
		if fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column) != own || !strings.HasSuffix(f.Message, other) || f.Fix == "" {
			t.Errorf("%+v", f)
		}
	}
	if len(found) != len(want) {
		t.Errorf("%d faults: %+v", len(found), found)
	}
}

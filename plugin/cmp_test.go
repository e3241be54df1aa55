package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	argo "github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"

	"github.com/runkora/kora/internal/testcluster/helm"
	"github.com/runkora/kora/plugin/cmp"
)

func goodFiles(t testing.TB) map[string]string {
	return map[string]string{"kora.yaml": text(t, goodValues)}
}

// with is the good application with other files and parameters.
func with(t testing.TB, files map[string]string, all ...argo.ApplicationSourcePluginParameter) application {
	a := application{files: goodFiles(t), plugin: given(all...)}
	for name, text := range files {
		a.files[name] = text
	}
	return a
}

// R43: a folder with kora.yaml, a theme and patches becomes the manifests of a
// release, as Argo CD splits them, with hooks that it knows by their annotations.
func TestPluginRendersAnApplication(t *testing.T) {
	a := with(t, map[string]string{
		"theme.yaml":                   text(t, "../testdata/releases/theme/theme.yaml"),
		"patches/50-nodeselector.yaml": text(t, "../testdata/patches/example/50-nodeselector.yaml"),
		"values-production.yaml":       "global:\n  trustDomain: production.example.com\n",
		"README.md":                    "nothing of kora's\n",
	}, parameters("values-files", "values-production.yaml"), parameter("values", "config:\n  otel: {}\n"))
	a.plugin.Parameters = a.plugin.Parameters[:1]
	got := cmpServer{}.generate(t, a)
	if got.status != 0 {
		t.Fatal(got.shown)
	}
	hooks, seen := 0, map[string]map[string]any{}
	for _, o := range helm.Objects(t, got.out) {
		meta := o["metadata"].(map[string]any)
		seen[fmt.Sprint(o["kind"], " ", meta["name"])] = o
		if notes, ok := meta["annotations"].(map[string]any); ok && notes["helm.sh/hook"] != nil {
			hooks++
		}
	}
	patches := fmt.Sprint(seen["ConfigMap kora-agents-manifest-patches"])
	theme := fmt.Sprint(seen["ConfigMap kora-frontend-theme"])
	if !strings.Contains(patches, "50-nodeselector") || !strings.Contains(patches, "disktype: ssd") || !strings.Contains(theme, "Northwind Agents") ||
		!strings.Contains(got.out, "trustDomain: production.example.com") || hooks < 2 || seen["Job kora-migrate"] == nil {
		t.Errorf("%d hooks; patches %s; theme %s", hooks, patches, theme)
	}
}

// R43: discover prints something exactly where there is a kora.yaml of its own,
// and is no failure elsewhere: Argo CD asks it of every repository.
func TestPluginDiscoversItsOwnFoldersAlone(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		found bool
	}{
		"kora":         {goodFiles(t), true},
		"link within":  {map[string]string{"real.yaml": "a: 1\n", "kora.yaml": "-> real.yaml"}, true},
		"chart":        {map[string]string{"Chart.yaml": "name: x\n", "values.yaml": "a: 1\n"}, false},
		"empty":        {nil, false},
		"link outside": {map[string]string{"kora.yaml": "-> /etc/hostname"}, false},
		"folder":       {map[string]string{"kora.yaml/x": "a: 1\n"}, false},
		"below":        {map[string]string{"below/kora.yaml": "a: 1\n"}, false},
	} {
		got := cmpServer{}.call(t, application{files: c.files}, "kora", "cmp", "discover")
		if got.status != 0 || (got.out != "") != c.found || got.words != "" {
			t.Errorf("%s: status %d, %q %q", name, got.status, got.out, got.words)
		}
	}
}

// R43: what is announced is what Argo CD reads, and each parameter is taken in the
// form that is announced.
func TestPluginAnnouncesWhatItTakes(t *testing.T) {
	p := ownPlugin(t).Spec.Parameters.Dynamic
	got := cmpServer{}.call(t, application{}, append(p.Command, p.Args...)...)
	var all []cmp.Announcement
	if err := json.Unmarshal([]byte(got.out), &all); err != nil || got.status != 0 || len(all) != 5 {
		t.Fatalf("%v %s", err, got.out)
	}
	a := with(t, nil)
	for _, each := range all {
		if each.Title == "" || each.Tooltip == "" {
			t.Errorf("%s explains nothing", each.Name)
		}
		switch each.CollectionType {
		case "array":
			a.plugin.Parameters = append(a.plugin.Parameters, parameters(each.Name, each.Array...))
		default:
			a.plugin.Parameters = append(a.plugin.Parameters, parameter(each.Name, each.String))
		}
	}
	with, without := cmpServer{}.generate(t, a), cmpServer{}.generate(t, application{files: goodFiles(t)})
	if with.status != 0 || with.out != without.out {
		t.Errorf("the announced defaults render something else than none: %s", with.shown)
	}
}

// R43: each kind of fault is told in Argo CD's UI: a short first line with what is
// wrong and how many things are, behind the whole line that failed, then each
// fault with its place.
func TestPluginSaysWhatIsWrong(t *testing.T) {
	kora := text(t, goodValues)
	for name, c := range map[string]struct {
		a      application
		status int
		first  string // behind what the cmp-server puts before it
		words  []string
	}{
		"values": {with(t, map[string]string{"kora.yaml": kora + "fronted: 1\n"}), 1,
			`kora cannot render application "shop": unknown field "fronted" in "kora.yaml:`, []string{"KORA-F001", `did you mean`}},
		"syntax": {with(t, map[string]string{"kora.yaml": "a: [\n"}), 1, `kora cannot render application "shop": `, []string{"KORA-Y001", "kora.yaml:"}},
		"no file": {application{files: map[string]string{"values.yaml": "a: 1\n"}}, 1,
			`kora cannot render application "shop": the application's folder has no such file in "kora.yaml"`, []string{"KORA-M004"}},
		"patch": {with(t, map[string]string{"patches/10-a.yaml": "target: { kind: StatefulSet }\npatch: |\n  - { op: replace, path: /metadata/name, value: x }\n"}), 1,
			`kora cannot render application "shop": `, []string{"KORA-P101", "patches/10-a.yaml:3:"}},
		"theme":      {with(t, map[string]string{"theme.yaml": "productName: x\n"}), 1, `kora cannot render application "shop": `, []string{"KORA-T003", "theme.yaml"}},
		"long theme": {with(t, map[string]string{"theme.yaml": "a: " + strings.Repeat("x", 2<<20) + "\n"}), 1, `kora cannot render application "shop": `, []string{"error: theme.yaml: "}},
		"no namespace": {application{files: goodFiles(t), more: []string{"ARGOCD_APP_NAMESPACE="}}, 1,
			`kora cannot render application "shop": the application's destination names no namespace in "ARGOCD_APP_NAMESPACE"`, []string{"spec.destination.namespace"}},
		"same patch": {with(t, map[string]string{
			"patches/50-a.yaml": text(t, "../testdata/patches/example/50-nodeselector.yaml"),
			"more.yaml":         "agents:\n  manifestPatches:\n    50-a: { target: { kind: StatefulSet }, patch: \"[]\" }\n",
		}, parameters("values-files", "more.yaml")), 1, `kora cannot render application "shop": `, []string{"KORA-P005", "also in more.yaml"}},
		"several": {with(t, nil, parameter("value", "x"), parameters("values-files", "a.yaml", "b.txt"), parameter("verify", "yes")), 1,
			`kora cannot render application "shop": 4 errors, the first in "ARGOCD_APP_PARAMETERS": `, []string{`did you mean "values"`, "a.yaml: the application's folder has no such file", "true or false"}},
		"form":     {with(t, nil, parameter("values-files", "a.yaml")), 1, `kora cannot render application "shop": the parameter is not in its form`, []string{"the field array and no other"}},
		"registry": {with(t, nil, parameter("chart", "oci://registry.example.com/charts/kora:1.4.0")), 1, `kora cannot render application "shop": charts of this registry are not allowed here`, []string{"KORA-M006"}},
		"unsigned": {with(t, nil, parameter("verify", "true")), 1, `kora cannot render application "shop": 2 errors`, []string{"KORA-M007", "it is in no registry", "no trust root"}},
		"variable": {application{files: goodFiles(t), plugin: argo.ApplicationSourcePlugin{Env: argo.Env{{Name: "KORA_VALUE_FILES", Value: "x.yaml"}}}}, 1,
			`kora cannot render application "shop": kora reads no such variable in "ARGOCD_ENV_KORA_VALUE_FILES"`, []string{`did you mean "KORA_VALUES_FILES"`}},
		"both": {application{files: goodFiles(t), plugin: argo.ApplicationSourcePlugin{Env: argo.Env{{Name: "KORA_RELEASE_NAME", Value: "a"}}, Parameters: given(parameter("release-name", "b")).Parameters}}, 1,
			`kora cannot render application "shop": the variable is given, and the parameter release-name as well`, nil},
		"cluster": {application{files: goodFiles(t), more: []string{"KUBE_VERSION=1.20.0"}}, 1, `kora cannot render application "shop": `, []string{"KORA-R004"}},
		"missing": {with(t, map[string]string{"kora.yaml": "", "patches/50-a.yaml": text(t, "../testdata/patches/example/50-nodeselector.yaml")}), 1,
			`kora cannot render application "shop": 2 errors, the first in "kora.yaml:1": frontendHost is required`, []string{"error: kora.yaml:1:1: global.trustDomain is required", "add frontendHost: "}},
		"missing beside a theme": {with(t, map[string]string{"kora.yaml": "", "theme.yaml": text(t, "../testdata/releases/theme/theme.yaml")}), 1,
			`kora cannot render application "shop": 2 errors, the first in "kora.yaml:1": frontendHost is required`, []string{"error: kora.yaml:1:1: global.trustDomain is required"}},
		"missing alone": {with(t, map[string]string{"kora.yaml": "# nothing yet\n"}), 1,
			`kora cannot render application "shop": 2 errors, the first in "kora.yaml:1": frontendHost is required`, []string{"error: kora.yaml:1:1: global.trustDomain is required"}},
		"wrong files": {with(t, nil, parameters("values-files", "../x.yaml", "more.yaml", "/etc/passwd")), 1,
			`kora cannot render application "shop": 3 errors`, []string{"values-files[0]", "values-files[2]", "more.yaml"}},
		"empty": {with(t, map[string]string{"chart/Chart.yaml": "apiVersion: v2\nname: x\nversion: 0.1.0\n", "chart/templates/a.yaml": "{{ if false }}a: 1{{ end }}\n", "kora.yaml": "a: 1\n"}, parameter("chart", "./chart")), 1,
			`kora cannot render application "shop": the chart made no manifest of these values`, []string{"KORA-M008"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := cmpServer{}.generate(t, c.a)
			want := fmt.Sprintf("`kora cmp generate` failed exit status %d: %s", c.status, c.first)
			line, rest, _ := strings.Cut(got.shown, "\n")
			if got.status != c.status || !strings.HasPrefix(line, want) || len(line) > 300 {
				t.Errorf("status %d:\n%s\nwanted %s", got.status, got.shown, want)
			}
			for _, w := range append(c.words, "error: ") {
				if !strings.Contains(rest, w) {
					t.Errorf("nothing says %q:\n%s", w, got.shown)
				}
			}
		})
	}
}

// R43: a setting of the sidecar that cannot be read refuses every application,
// rather than allow more or less than its administrator meant.
func TestPluginRefusesWrongSettings(t *testing.T) {
	for setting, words := range map[string]string{
		"KORA_CMP_TIMEOUT=never":                   "a time from 1s to 10m0s",
		"KORA_CMP_TIMEOUT=1ms":                     "a time from 1s to 10m0s",
		"KORA_CMP_REGISTRIES=ghcr.io/*":            "registries with commas between them",
		"KORA_CMP_REGISTRIES=runkora":              "registries with commas between them",
		"KORA_CMP_VERIFY=yes":                      "always, or asked",
		"KORA_CMP_KEY=/nowhere/key.pub":            "the key cannot be read: no such file",
		"KORA_CMP_KEY=/dev/zero":                   "the key cannot be read: it is a device",
		"KORA_CMP_KEY=..":                          "the key cannot be read: it is a folder",
		"KORA_CMP_KEY=kora.yaml":                   "this is no public key",
		"KORA_CMP_IDENTITY_REGEXP=.*":              "lets others in",
		"KORA_CMP_IDENTITY_REGEXP=^(https://a$":    "does not parse",
		"KORA_CMP_TRUSTED_ROOT=/nowhere/root.json": "the trust root cannot be read: no such file",
		"KORA_CMP_TRUSTED_ROOT=kora.yaml":          "this is no trust root",
		"KORA_CMP_REGISTRY=ghcr.io/runkora":        `did you mean "KORA_CMP_REGISTRIES"`,
	} {
		got := cmpServer{sidecar: []string{setting}}.generate(t, application{files: goodFiles(t)})
		if got.status != 1 || !strings.Contains(got.words, words) || !strings.Contains(got.words, "KORA-M001") {
			t.Errorf("%s: status %d\n%s", setting, got.status, got.words)
		}
	}
}

// endless is a chart whose templates do not end, and hold little memory.
func endless(t testing.TB) application {
	return with(t, map[string]string{
		"kora.yaml":              "a: 1\n",
		"chart/Chart.yaml":       "apiVersion: v2\nname: endless\nversion: 0.1.0\n",
		"chart/templates/a.yaml": "{{ range until 100000 }}{{ range until 1000 }}{{ range until 1000 }}{{ end }}{{ end }}{{ end }}a: 1\n",
	}, parameter("chart", "./chart"))
}

// R43: a call ends by itself before Argo CD ends it; templates of the repository
// that do not end are the repository's fault, with status 1.
func TestPluginEndsBeforeItsCaller(t *testing.T) {
	got := cmpServer{sidecar: []string{"KORA_CMP_TIMEOUT=10s"}}.generate(t, endless(t))
	want := "`kora cmp generate` failed exit status 1: kora cannot render application \"shop\": the chart's templates did not end: context deadline exceeded"
	if !strings.HasPrefix(got.shown, want) || !strings.Contains(got.words, "KORA-M012") {
		t.Errorf("%s", got.shown)
	}
}

// R43: the contract that makes the message needed: where the caller is first, there
// is at best a word of kora's between its two signals, and else nothing to see but
// that it killed the call. Neither blames the chart, which may be a good one.
func TestCallerThatIsFirstBlamesNothing(t *testing.T) {
	const stopped = "`kora cmp generate` failed exit status 3: kora cannot render application \"shop\": stopped by a signal: "
	got := cmpServer{deadline: 500 * time.Millisecond}.generate(t, endless(t))
	if !strings.HasPrefix(got.shown, "`kora cmp generate` failed signal: ") && !strings.HasPrefix(got.shown, stopped) {
		t.Errorf("%s", got.shown)
	}
}

// R43: a caller that only kills leaves no word, and no answer that is cut short.
func TestCallerThatKillsSaysNothing(t *testing.T) {
	got := cmpServer{deadline: 500 * time.Millisecond, kills: true}.generate(t, endless(t))
	if got.shown != "`kora cmp generate` failed signal: killed: " {
		t.Errorf("%q", got.shown)
	}
}

// R43: nothing secret is printed: neither variables of the sidecar or of an
// application, nor what files outside of the folder hold.
func TestPluginPrintsNoSecret(t *testing.T) {
	const secret = "planted-Passw0rd"
	outside := filepath.Join(t.TempDir(), "secret.yaml")
	if err := os.WriteFile(outside, []byte("password: "+secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sidecar := cmpServer{sidecar: []string{"KORA_CMP_KEY=" + outside, "KORA_CMP_TIMOUT=" + secret, "GIT_PASSWORD=" + secret, "KORA_CMP_VERIFY=" + secret}}
	for _, a := range []application{
		{files: map[string]string{"kora.yaml": "-> " + outside}},
		{files: map[string]string{"kora.yaml": text(t, goodValues), "theme.yaml": "-> " + outside, "patches": "-> " + filepath.Dir(outside)}},
		with(t, nil, parameters("values-files", outside, "../../x.yaml")),
		{files: goodFiles(t), plugin: argo.ApplicationSourcePlugin{Env: argo.Env{{Name: "KORA_PASSWORD", Value: secret}, {Name: "TOKEN", Value: secret}, {Name: "KORA_VERIFY", Value: secret}}}},
		{files: goodFiles(t), more: []string{"KUBE_VERSION=" + secret + "\x1b", "KUBE_API_VERSIONS=" + secret + " ", "ARGOCD_APP_NAMESPACE=" + secret}},
		{files: goodFiles(t), more: []string{`ARGOCD_APP_PARAMETERS=[{"name":"verify","string":"` + secret + `"},{"name":"release-name","string":"` + secret + `"}]`}},
		{files: goodFiles(t), more: []string{`ARGOCD_APP_PARAMETERS=[{"name":"verify","secret":"` + secret + `"`}},
	} {
		for _, s := range []cmpServer{sidecar, {sidecar: []string{"GIT_PASSWORD=" + secret}}} {
			got := s.generate(t, a)
			if strings.Contains(got.out+got.words, secret) {
				t.Errorf("a secret is printed:\n%s", got.words)
			}
		}
	}
}

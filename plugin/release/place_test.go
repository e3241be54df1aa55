package release_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/release"
	"github.com/runkora/kora/plugin/values"
)

// copier is a chart that copies blocks of its values, as charts do.
const copier = `{{- range $name := list "one" "two" }}
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: {{ $name }} }
spec:
  selector: { matchLabels: { app: a } }
  template:
    metadata: { labels: { app: a } }
    spec:
      tolerations: {{ toYaml (index $.Values $name).tolerations | nindent 8 }}
      nodeSelector: {{ toYaml $.Values.nodes | nindent 8 }}
      containers:
        - name: a
          image: a
          resources: {{ toYaml (index $.Values $name).resources | nindent 12 }}
{{- end }}
`

// valuesOf is an input of files with these texts.
func valuesOf(t *testing.T, texts ...string) values.Input {
	t.Helper()
	var in values.Input
	folder := t.TempDir()
	for i, text := range texts {
		name := fmt.Sprintf("%d.yaml", i)
		write(t, folder, name, text)
		in.Files = append(in.Files, filepath.Join(folder, name))
	}
	return in
}

// places are faults a line each: file, line and column, key, object, field, template.
func places(found faults.List) string {
	var out strings.Builder
	for _, f := range found.Sorted() {
		fmt.Fprintf(&out, "%s:%d:%d | %s | %s | %s | %s\n", filepath.Base(f.File), f.Line, f.Column, f.Key, f.Object, f.Field, f.Template)
	}
	return out.String()
}

// R20: what is wrong in an object because a value was copied into it stands at that
// value, in whichever file or flag, down to the field; what two values can have
// brought about, and what no value has, stands at the template.
func TestFaultsOfObjectsStandAtTheValue(t *testing.T) {
	folder := chart(t, map[string]string{"templates/all.yaml": copier, "values.yaml": "one: {}\ntwo: {}\nnodes: {}\n"})
	const good = "{ tolerations: [], resources: {} }"
	for name, c := range map[string]struct {
		values []string
		set    []string
		want   string
	}{
		"a request above its limit": {[]string{"one:\n  tolerations: []\n  resources:\n    limits: { memory: 1Gi }\n    requests: { memory: 2Gi }\ntwo: " + good}, nil,
			"0.yaml:5:17 | one.resources.requests.memory | Deployment one | spec.template.spec.containers[name=a].resources.requests.memory | small/templates/all.yaml, line 22, column 23 of what it renders\n"},
		"an item of a list": {[]string{"two: " + good, "one:\n  resources: {}\n  tolerations:\n    - { key: a, operator: Exists }\n    - { key: b, operator: Exists, value: c }\n"}, nil,
			"1.yaml:5:35 | one.tolerations[1].value | Deployment one | spec.template.spec.tolerations[1].value | small/templates/all.yaml, line 16, column 18 of what it renders\n"},
		"a misspelt key": {[]string{"one: " + good + "\ntwo:\n  tolerations: []\n  resources: { limit: {} }\n"}, nil,
			"0.yaml:4:16 | two.resources.limit | Deployment two | spec.template.spec.containers[0].resources.limit | small/templates/all.yaml, line 37, column 13 of what it renders\n"},
		"of a flag": {[]string{"one: " + good + "\ntwo: " + good}, []string{"two.resources.limits.cpu=1", "two.resources.requests.cpu=2"},
			"--set two.resources.requests.cpu=2:0:0 | two.resources.requests.cpu | Deployment two | spec.template.spec.containers[name=a].resources.requests.cpu | small/templates/all.yaml, line 40, column 20 of what it renders\n"},
		"of two values alike": {[]string{"one: &a { tolerations: [], resources: { limits: { cpu: 1 }, requests: { cpu: 2 } } }\ntwo: *a\n"}, nil,
			"all.yaml:0:0 |  | Deployment one | spec.template.spec.containers[name=a].resources.requests.cpu | small/templates/all.yaml, line 22, column 20 of what it renders\n" +
				"all.yaml:0:0 |  | Deployment two | spec.template.spec.containers[name=a].resources.requests.cpu | small/templates/all.yaml, line 43, column 20 of what it renders\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := release.Request{Chart: folder, Values: valuesOf(t, c.values...)}
			for _, s := range c.set {
				r.Values.Flags = append(r.Values.Flags, values.Flag{Kind: values.Set, Text: s})
			}
			out := release.Render(t.Context(), r)
			if got := places(out.Found); got != c.want {
				t.Errorf("got\n%swanted\n%s", got, c.want)
			}
		})
	}
}

// R20: a line of a template's text counts in all that the template renders, in the
// fault's sentences too, whatever separates the documents.
func TestLinesCountInTheWholeTemplate(t *testing.T) {
	const good = "apiVersion: v1\nkind: Secret\nmetadata: { name: a%d }\n"
	for name, c := range map[string]struct{ text, template, found string }{
		"behind two documents":   {fmt.Sprintf(good+"---\n"+good+"---\n", 1, 2) + "apiVersion: v1\nkind: Secret\nmetadata: { name: b }\ndta: {}\n", "line 12, column 1", "dta"},
		"behind comments":        {"# one\n\n---\n# two\n---\n\n\n" + "apiVersion: v1\nkind: Secret\nmetadata: { name: b }\ndta: {}\n", "line 11, column 1", "dta"},
		"behind its separator":   {fmt.Sprintf(good, 1) + "--- {apiVersion: v1, kind: Secret, metadata: {name: b}, dta: {}}\n", "line 4, column 57", "dta"},
		"a key twice":            {fmt.Sprintf(good+"---\n", 1) + "apiVersion: v1\nkind: Secret\nmetadata: { name: b }\nmetadata: { name: c }\n", "line 8, column 1", "first at line 7"},
		"no YAML":                {fmt.Sprintf(good+"---\n", 1) + "apiVersion: v1\nkind: [\n", "line 6, column 1", ""},
		"the same text twice":    {strings.Repeat("apiVersion: v1\nkind: Secret\nmetadata: { name: b }\ndta: {}\n---\n", 2), "line 4, column 1", "dta"},
		"windows ends its lines": {"apiVersion: v1\r\nkind: Secret\r\nmetadata: { name: a }\r\n---\r\napiVersion: v1\r\nkind: Secret\r\nmetadata: { name: b }\r\ndta: {}\r\n", "line 8, column 1", "dta"},
	} {
		t.Run(name, func(t *testing.T) {
			out := release.Render(t.Context(), of(t, c.text))
			if len(out.Found) == 0 {
				t.Fatal("nothing is found")
			}
			f := out.Found.Sorted()[0]
			if n := regexp.MustCompile(`line (\d+)`).FindStringSubmatch(f.Template); len(n) > 1 {
				at, _ := strconv.Atoi(n[1])
				if line := strings.TrimSuffix(strings.Split(c.text, "\n")[at-1], "\r"); !strings.HasSuffix(line, f.Source) {
					t.Errorf("line %d is %q, the source %q", at, line, f.Source)
				}
			}
			if want := "small/templates/all.yaml, " + c.template + " of what it renders"; f.Template != want || !strings.Contains(f.Found, c.found) {
				t.Errorf("%q, found %q; wanted %q, %q", f.Template, f.Found, want, c.found)
			}
		})
	}
}

// packedFolder is a file with a chart's folder packed.
func packedFolder(t *testing.T, folder string) string {
	t.Helper()
	var entries []entry
	if err := fs.WalkDir(os.DirFS(filepath.Dir(folder)), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(filepath.Dir(folder), path))
		entries = append(entries, entry{name: path, text: string(text)})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "small-0.1.0.tgz")
	if err := os.WriteFile(file, packed(t, entries...), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// R20: whatever a chart is and wherever its fault lies, the file of a fault is one
// that can be opened, or a flag, and SARIF has no other.
func TestFaultsNameNoFileThatIsNotThere(t *testing.T) {
	bad := map[string]map[string]string{
		"an object":           {"templates/all.yaml": "apiVersion: v1\nkind: Secret\nmetadata: { name: a }\ndta: {}\n"},
		"no YAML":             {"templates/all.yaml": "a: [\n"},
		"a template":          {"templates/all.yaml": "\n{{ .Values.x.y.z }}\n"},
		"a partial":           {"templates/all.yaml": "{{ include \"a\" . }}", "templates/_a.tpl": "{{ define \"a\" }}\n{{ fail \"no\" }}{{ end }}"},
		"a template unread":   {"templates/all.yaml": "{{ if }}\n"},
		"another Kubernetes":  {"Chart.yaml": "apiVersion: v2\nname: small\nversion: 0.1.0\nkubeVersion: '>=2.0.0'\n"},
		"its schema":          {"values.schema.json": "{", "templates/all.yaml": ""},
		"its schema's values": {"values.schema.json": `{"required": ["a"]}`, "templates/all.yaml": ""},
		"a library":           {"Chart.yaml": "apiVersion: v2\nname: small\nversion: 0.1.0\ntype: library\n"},
		"a chart in it":       {"charts/inner/Chart.yaml": "apiVersion: v2\nname: inner\nversion: 0.1.0\n", "charts/inner/templates/x.yaml": "a: [\n"},
	}
	check := func(t *testing.T, found faults.List) {
		t.Helper()
		if !found.Refused() {
			t.Fatal("nothing is refused")
		}
		for _, f := range found {
			if _, err := os.Stat(f.File); f.File != "" && !strings.HasPrefix(f.File, "--") && err != nil {
				t.Errorf("%q is no file: %s", f.File, f.Message)
			}
			if f.File == "" && f.Object == "" && f.Template == "" && f.Field == "" {
				t.Errorf("no place at all: %+v", f)
			}
		}
		var out bytes.Buffer
		p, _ := faults.NewPrinter(faults.FormatSARIF, &out, faults.Options{})
		if err := found.Print(p); err != nil || !json.Valid(out.Bytes()) {
			t.Fatal(err)
		}
		for uri := range strings.SplitSeq(out.String(), `"uri": "`) {
			if uri, _, _ := strings.Cut(uri, `"`); strings.ContainsAny(uri, " (") && !strings.HasPrefix(uri, "{") {
				t.Errorf("no URI: %q", uri)
			}
		}
	}
	for name, files := range bad {
		t.Run(name, func(t *testing.T) {
			folder := chart(t, files)
			check(t, release.Render(t.Context(), release.Request{Chart: folder}).Found)
			check(t, release.Render(t.Context(), release.Request{Chart: packedFolder(t, folder)}).Found)
		})
	}
	t.Run("of this binary", func(t *testing.T) {
		check(t, release.Render(t.Context(), release.Request{KubeVersion: "1.20.0"}).Found)
		check(t, release.Render(t.Context(), release.Request{Values: inputOf("releases/kora"), Limits: release.Limits{Output: 1}}).Found)
	})
}

// R20: faults of objects are told beside those of values that have no part in them;
// where objects cannot be made without the wrong value, they wait.
func TestObjectsAreJudgedBesideWrongValues(t *testing.T) {
	in := inputOf("releases/kora")
	in.Files = append(in.Files, valuesOf(t, "frontend:\n  replicas: many\nagents:\n  resources:\n    limits: { memory: 1Gi }\n    requests: { memory: 2Gi }\n").Files...)
	out := release.Render(t.Context(), release.Request{Values: in})
	for _, want := range []string{"| frontend.replicas |", "agents.resources"} {
		if got := told(out.Found) + places(out.Found); !strings.Contains(got, want) {
			t.Errorf("nothing says %q:\n%s", want, got)
		}
	}
	folder := chart(t, map[string]string{
		"values.yaml":        "port: 80\nhost: ''\n",
		"values.schema.json": `{"properties": {"port": {"type": "integer"}, "host": {"type": "string"}, "own": {"type": "string"}}, "required": ["own"]}`,
		"templates/all.yaml": "apiVersion: v1\nkind: Service\nmetadata: { name: a }\nspec: { ports: [{ port: {{ .Values.port }} }] }\ndta: {}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: {{ required \"host\" .Values.host | quote }} }\n",
	})
	for text, want := range map[string]int{
		"own: a\nhost: a\nport: x\n":          2, // the port, and the Service's field: the port is 80
		"own: a\nhost: [1]\nport: 80\n":       1, // without a host nothing is made
		"host: a\nport: x\n":                  2, // nor without what is missing
		"own: a\nhost: a\nport: x\nmore: z\n": 2,
	} {
		out := release.Render(t.Context(), release.Request{Chart: folder, Values: valuesOf(t, text)})
		if len(out.Found) != want || out.Objects != nil {
			t.Errorf("%q: %d faults, wanted %d, and %d objects:\n%s", text, len(out.Found), want, len(out.Objects), told(out.Found))
		}
	}
}

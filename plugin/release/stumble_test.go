package release_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/release"
	"github.com/runkora/kora/plugin/values"
)

// R20: what goes wrong in a template has the template's file, line and column, of
// the innermost one where others include it.
func TestTemplateErrorsHaveAPlace(t *testing.T) {
	for name, c := range map[string]struct {
		all, partial string
		line, column int
		file, words  string
	}{
		"nothing below a value": {"a: b\nc: {{ .Values.x.y.z }}\n", "", 2, 14, "all.yaml", "nil pointer"},
		"in a partial":          {"{{ include \"p\" . }}", "{{ define \"p\" }}\n\n{{ .Values.x.y.z }}{{ end }}", 3, 11, "_p.tpl", "nil pointer"},
		"a broken template":     {"a: b\n{{ if }}\n", "", 2, 1, "all.yaml", "missing value for if"},
		"an unknown function":   {"\n\n{{ frobnicate 1 }}", "", 3, 1, "all.yaml", `function "frobnicate" not defined`},
		"no such partial":       {"{{ include \"q\" . }}", "", 1, 4, "all.yaml", `no template "q"`},
		"no end":                {"{{ if true }}", "", 1, 1, "all.yaml", "unexpected EOF"},
		"no end of recursion":   {"{{ include \"p\" . }}", "{{ define \"p\" }}{{ include \"p\" . }}{{ end }}", 1, 20, "_p.tpl", "nested reference"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := chart(t, map[string]string{"templates/all.yaml": c.all, "templates/_p.tpl": c.partial})
			f := refused(t, release.Request{Chart: folder}, faults.TemplateFails, c.words)[0]
			if want := filepath.Join(folder, "templates", c.file); f.File != want || f.Line != c.line || f.Column != c.column {
				t.Errorf("%s:%d:%d, wanted %s:%d:%d", f.File, f.Line, f.Column, want, c.line, c.column)
			}
			if f.Source == "" && c.all != "" {
				t.Error("no source")
			}
		})
	}
}

// R20: what a chart says of a value stands at the value, in whichever file or flag
// it is; what it says of no value stands at the template.
func TestWhatAChartSaysStandsAtTheValue(t *testing.T) {
	folder := chart(t, map[string]string{
		"values.yaml": "a: { b: 1 }\nlist: []\nabsent: ''\n",
		"templates/all.yaml": "{{ fail \"\\na.b: it is too small\\nlist[1].name: it is taken\\n" +
			"absent: it is required\\nother: is no value\\na.m[k/x].n: it is odd\\n\" }}\n",
	})
	file := filepath.Join(t.TempDir(), "v.yaml")
	write(t, filepath.Dir(file), "v.yaml", "list:\n  - name: a\n  - name: b\na:\n  m:\n    k/x:\n      n: 1\n")
	in := values.Input{Files: []string{file}, Flags: []values.Flag{{Kind: values.Set, Text: "a.b=2"}}}
	found := refused(t, release.Request{Chart: folder, Values: in}, faults.ChartRefuses)
	var got []string
	for _, f := range found.Sorted() {
		got = append(got, strings.Join([]string{filepath.Base(f.File), strings.Repeat("|", f.Line), f.Field, f.Message}, " "))
	}
	want := []string{
		"--set a.b=2  a.b it is too small",
		"all.yaml |  other: is no value",
		"all.yaml | absent it is required",
		"v.yaml ||| list[1].name it is taken",
		"v.yaml ||||||| a.m[k/x].n it is odd",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwanted\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// R20: required is told as what it is.
func TestRequired(t *testing.T) {
	refused(t, of(t, `{{ fail "" }}`), faults.ChartRefuses, "does not say why")
	refused(t, of(t, `{{ required "set the colour" .Values.colour }}`), faults.ChartRefuses, "set the colour")
}

// R19: a version that the chart does not support, and what no version is.
func TestVersionsOfKubernetes(t *testing.T) {
	for version, taken := range map[string]bool{"1.33.9": false, "1.34.0": true, "v1.35": true, "1.36.2-gke.1": true, "1.x": false, "new": false, "": true} {
		out := release.Render(t.Context(), release.Request{Values: inputOf("releases/kora"), KubeVersion: version})
		if out.Found.Refused() == taken {
			t.Errorf("%q: refused is %v\n%s", version, !taken, told(out.Found))
		}
		if !taken && out.Found[0].Code != faults.ChartCluster {
			t.Errorf("%q: %s", version, told(out.Found))
		}
	}
}

package faults

import (
	"bytes"
	"strings"
	"testing"
)

// written is a fault in a format.
func written(t *testing.T, format Format, f Fault) string {
	t.Helper()
	var out bytes.Buffer
	p, err := NewPrinter(format, &out, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := (List{f}).Print(p); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// R20: a place in a chart's template is told in every format, beside the file.
func TestTemplatesAreTold(t *testing.T) {
	f := New(UnknownField, "unknown field")
	f.File, f.Line, f.Template = "kora.yaml", 3, "kora/templates/x.yaml, line 82, column 20 of what it renders"
	for format, want := range map[Format]string{
		FormatText: "  template: " + f.Template, FormatJSON: `"template": "` + f.Template, FormatJUnit: "template: " + f.Template,
		FormatSARIF: `"fullyQualifiedName": "` + f.Template,
	} {
		if got := written(t, format, f); !strings.Contains(got, want) || !strings.Contains(got, "kora.yaml") {
			t.Errorf("%s lacks %q:\n%s", format, want, got)
		}
	}
}

// R20: SARIF has a location in a file only where there is a file: flags, standard
// input, registries, variables and the cluster are none.
func TestSARIFNamesFilesAlone(t *testing.T) {
	for file, is := range map[string]bool{
		"kora.yaml": true, "/etc/kora.yaml": true, "a b.yaml": true, "environment.yaml": true, "clusters/a.yaml": true,
		"--set a=b": false, "--kube-version": false, "(standard input)": false, "oci://ghcr.io/runkora/charts/kora:1.4.0": false,
		"environment": false, "cluster": false, "": false,
	} {
		f := New(UnknownField, "m")
		f.File = file
		if got := written(t, FormatSARIF, f); strings.Contains(got, "artifactLocation") != is || !is && file != "" && !strings.Contains(got, file) {
			t.Errorf("%q:\n%s", file, got)
		}
	}
}

package lint

import (
	"path/filepath"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

// R40: calls are found in the tree of a template, wherever they stand in it.
func TestCallsAreFoundInTheTree(t *testing.T) {
	for text, want := range map[string]struct {
		word string
		line int
	}{
		"{{ if and .Values.a\n      (not\n        .Release.IsInstall) }}x{{ end }}":  {"Release.IsInstall", 3},
		"{{ with .Release }}\n{{ if .IsInstall }}x{{ end }}{{ end }}":                {"IsInstall", 2},
		"{{ $r := .Release }}\n{{ if $r.IsUpgrade }}x{{ end }}":                      {"IsUpgrade", 2},
		"{{ if get .Release \"IsInstall\" }}x{{ end }}":                              {"IsInstall", 1},
		"{{ if index $.Release \"IsUpgrade\" }}x{{ end }}":                           {"IsUpgrade", 1},
		"{{ if $.Release.IsInstall }}x{{ end }}":                                     {"Release.IsInstall", 1},
		"{{ if (.Release).IsInstall }}x{{ end }}":                                    {"IsInstall", 1},
		"{{ range .Values.l }}\na: {{ shuffle . }}\n{{ end }}":                       {"shuffle", 2},
		"{{ define \"x\" }}\n{{ genPrivateKey \"rsa\" }}{{ end }}":                   {"genPrivateKey", 2},
		"a: {{ genSelfSignedCertWithKey \"a\" nil nil 1 .Values.k }}":                {"genSelfSignedCertWithKey", 1},
		"a: {{ .Values.a | encryptAES .Values.k }}":                                  {"encryptAES", 1},
		"a: {{ now | date \"2006\" }}":                                               {"now", 1},
		"a: {{ date \"2006\" .Values.day }}":                                         {"date", 1},
		"a: {{ randBytes 8 }}":                                                       {"randBytes", 1},
		"a: {{ randInt 1 8 }}":                                                       {"randInt", 1},
		"a: {{ include \"x\" (dict \"a\" (uuidv4)) }}":                               {"uuidv4", 1},
		"{{ if .Values.a }}x{{ else if lookup \"v1\" \"Pod\" \"\" \"\" }}y{{ end }}": {"lookup", 1},
		"{{ template \"x\" (lookup \"v1\" \"Pod\" \"\" \"\") }}":                     {"lookup", 1},
		"{{ .Values.a }}\n    helm.sh/hook: pre-install":                             {"pre-install", 2},
		"{{ .Values.a }}\n    'helm.sh/hook': \"post-upgrade\"":                      {"post-upgrade", 2},
		"kind: Job\nmetadata:\n  annotations:\n    helm.sh/hook: pre-delete":         {"pre-delete", 4},
	} {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "c", "templates", "x.yaml"), text+"\n")
		_, found := Lint(dir)
		if len(found) == 0 || found[0].Code != faults.RendersOtherly || found[0].Found != want.word || found[0].Line != want.line {
			t.Errorf("%s: %+v", text, found)
		}
	}
	for _, text := range []string{
		"{{/* now, lookup \"v1\" and .Release.IsInstall */}}", "{{ .Values.now }}", "# {{ now }}", "{{ .Values.IsInstall }}", "{{ $.Values.a.IsUpgrade }}",
		"{{ toDate \"2006\" .Values.a | date \"01\" }}", "{{ \"now\" }}", "{{ include \"now\" . }}", "{{ $now := .Values.a }}{{ $now }}",
		"{{ .Values.a }}\n    helm.sh/hook: test", "{{ .Values.a }}\n    helm.sh/hook: pre-upgrade,pre-install", "{{ genericName . }}", "{{ .Release.Name }}",
	} {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "c", "templates", "x.yaml"), text+"\n")
		if _, found := Lint(dir); len(found) != 0 {
			t.Errorf("%s: %+v", text, found)
		}
	}
	dir := t.TempDir()
	put(t, filepath.Join(dir, "c", "templates", "x.yaml"), "{{ if .Values.a }}\n")
	if _, found := Lint(dir); len(found) != 1 || found[0].Code != faults.NothingToLint {
		t.Errorf("a template that does not parse: %+v", found)
	}
}

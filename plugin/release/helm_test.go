package release_test

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runkora/kora/internal/testcluster/helm"
	"github.com/runkora/kora/plugin/release"
	"github.com/runkora/kora/plugin/values"
)

func template(t testing.TB, version, chart string, in values.Input) string {
	t.Helper()
	args := []string{"template", "kora", chart, "--namespace", "kora-system", "--kube-version", release.DefaultKubeVersion, "--include-crds"}
	return helm.Print(t, version, append(args, flagsOf(in)...)...)
}

// R19 to R37, R44: kora prints what Helm 3 prints, to the byte, and Helm 4 the same
// objects, for every example of the documents.
func TestHelmRendersTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("builds Helm: left out by -short")
	}
	t.Parallel()
	for _, name := range examples {
		t.Run(name, func(t *testing.T) {
			in := inputOf(name)
			got := printed(t, good(t, release.Request{Values: in}))
			if want := template(t, "helm-3", "../../charts/kora", in); got != want {
				t.Errorf("(-helm 3 +kora):\n%s", cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
			}
			// Helm 4 knows one more kind's place in the order.
			if diff := cmp.Diff(sorted(helm.Objects(t, template(t, "helm-4", "../../charts/kora", in))), sorted(helm.Objects(t, got))); diff != "" {
				t.Errorf("(-helm 4 +kora):\n%s", diff)
			}
		})
	}
}

// R20, R44: what values become in a template is what Helm makes of them: numbers
// of files and of flags, the words of YAML 1.1, a null that takes a default away,
// charts in charts with conditions and aliases, and files that .helmignore names.
func TestHelmReadsTheSameValues(t *testing.T) {
	if testing.Short() {
		t.Skip("builds Helm: left out by -short")
	}
	t.Parallel()
	folder := chart(t, map[string]string{
		"Chart.yaml": "apiVersion: v2\nname: small\nversion: 0.1.0\ndependencies:\n" +
			"  - { name: inner, version: '*', condition: inner.enabled }\n  - { name: inner, version: '*', alias: other }\n  - { name: absent, version: '*', condition: absent.enabled }\n",
		".helmignore":                          "note.txt\nhidden/\n",
		"values.yaml":                          "a: 1\nb: { c: 2, d: text, gone: 3 }\nlist: [1, 2]\ninner: { enabled: true }\nabsent: { enabled: false }\nother: { e: 5 }\n",
		"hidden/x.yaml":                        "x: 1\n",
		"note.txt":                             "ignored\n",
		"crds/widgets.yaml":                    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: widgets.example.com }\nspec:\n  group: example.com\n  scope: Namespaced\n  names: { kind: Widget, plural: widgets }\n  versions: []\n",
		"templates/values.yaml":                "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: values }\ndata:\n  values: |\n    {{- .Values | toYaml | nindent 4 }}\n  printed: {{ printf \"%v %v %T %T\" .Values.a .Values.b.c .Values.a .Values.b.c | quote }}\n  files: {{ range $p, $_ := .Files }}{{ $p }} {{ end }}\n  kube: {{ .Capabilities.KubeVersion | quote }}\n  nodes: {{ lookup \"v1\" \"Node\" \"\" \"\" | toJson | quote }}\n  dns: {{ getHostByName \"localhost\" | quote }}\n",
		"templates/hook.yaml":                  "apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: hook, annotations: { helm.sh/hook: 'pre-install, post-upgrade', helm.sh/hook-weight: '5' } }\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: late, annotations: { helm.sh/hook: post-install } }\n",
		"templates/order.yaml":                 "apiVersion: example.com/v1\nkind: Zebra\nmetadata: { name: z }\n---\n# only a comment\n---\napiVersion: example.com/v1\nkind: Ant\nmetadata: { name: a }\n---\napiVersion: v1\nkind: Namespace\nmetadata: { name: spaces }\n",
		"charts/inner/Chart.yaml":              "apiVersion: v2\nname: inner\nversion: 0.1.0\n",
		"charts/inner/values.yaml":             "e: 4\nenabled: true\n",
		"charts/inner/templates/cm.yaml":       "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: {{ .Chart.Name }}-{{ .Values.e }} }\n",
		"charts/inner/templates/NOTES.txt":     "inner notes\n",
		"charts/absent/Chart.yaml":             "apiVersion: v2\nname: absent\nversion: 0.1.0\n",
		"charts/absent/templates/never.yaml":   "{{ fail \"it is off\" }}\n",
		"templates/NOTES.txt":                  "installed {{ .Release.Name }}\n",
		"templates/_partial.tpl":               "{{ define \"x\" }}x{{ end }}",
		"templates/empty.yaml":                 "{{ if false }}x: y{{ end }}\n",
		"templates/tests/test-connection.yaml": "apiVersion: v1\nkind: Pod\nmetadata: { name: test, annotations: { helm.sh/hook: test } }\nspec: { containers: [{ name: a, image: b }] }\n",
	})
	file := filepath.Join(t.TempDir(), "values.yaml")
	write(t, filepath.Dir(file), "values.yaml", "a: 1000000\nb: { c: 0777, e: 1.50, f: yes, g: 'yes', h: 2026-01-02, i: 0x10, j: 1e3, k: 12345678901 }\nlist: [~, 3]\n")
	in := values.Input{Files: []string{file}, Flags: []values.Flag{
		{Kind: values.Set, Text: "set=1000000,deep.list[1]=2,no=off,empty=,nil=null"}, {Kind: values.SetString, Text: "text=5"},
		{Kind: values.SetJSON, Text: `json={"n":2000000,"x":[1,2.5]}`},
	}}
	got := good(t, release.Request{Chart: folder, Values: in, IncludeCRDs: true})
	// Objects, because Helm also prints a document that is only a comment.
	if diff := cmp.Diff(helm.Objects(t, template(t, "helm-3", folder, in)), helm.Objects(t, printed(t, got))); diff != "" {
		t.Errorf("(-helm 3 +kora):\n%s", diff)
	}
	if got.Notes != "installed kora\n" {
		t.Errorf("notes %q", got.Notes)
	}
	if want := []string{"example.com/v1 Ant", "example.com/v1 Zebra"}; !slices.Equal(got.Unchecked, want) {
		t.Errorf("unchecked %q", got.Unchecked)
	}
}

// R19, R44: the definitions too, which are the other chart, and not refused for
// the forms of schemas that have two.
func TestHelmRendersTheSameDefinitions(t *testing.T) {
	if testing.Short() {
		t.Skip("builds Helm: left out by -short")
	}
	t.Parallel()
	r := good(t, release.Request{Chart: "kora-crds"})
	if diff := cmp.Diff(helm.Objects(t, template(t, "helm-3", "../../charts/kora-crds", values.Input{})), helm.Objects(t, printed(t, r))); diff != "" || len(r.Objects) != 6 {
		t.Errorf("%d objects (-helm 3 +kora):\n%s", len(r.Objects), diff)
	}
}

func sorted(all []map[string]any) []map[string]any {
	title := func(o map[string]any) string { return fmt.Sprint(o["kind"], o["metadata"].(map[string]any)["name"]) }
	slices.SortStableFunc(all, func(a, b map[string]any) int { return strings.Compare(title(a), title(b)) })
	return all
}

// R19, R35: a hundred renders of the largest example, one hash, in both formats.
func TestAHundredRendersOneHash(t *testing.T) {
	t.Parallel()
	var first [2][32]byte
	for i := range 100 {
		r := good(t, release.Request{Values: inputOf("releases/scale-out")})
		asJSON, err := release.JSON(r.Objects)
		if err != nil {
			t.Fatal(err)
		}
		now := [2][32]byte{sha256.Sum256([]byte(printed(t, r))), sha256.Sum256(asJSON)}
		if i == 0 {
			first = now
		}
		if now != first {
			t.Fatalf("render %d differs", i)
		}
	}
}

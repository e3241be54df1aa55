package environment

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	yaml3 "go.yaml.in/yaml/v3"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
)

// guarded is what the guard says of an environment file that Helmfile reads over
// the defaults: nothing, or every line of its error.
func guarded(t *testing.T, text string) []string {
	t.Helper()
	over := map[string]any{}
	if err := yaml3.Unmarshal([]byte(text), &over); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	out, err := (&Renderer{values: laid(Values(), over)}).Render("guard", Guard())
	if err == nil {
		if strings.TrimSpace(out) != "" {
			t.Errorf("%s: the guard writes %q", text, out)
		}
		return nil
	}
	_, says, told := strings.Cut(err.Error(), "the environment is wrong:\n")
	if !told {
		t.Fatalf("%s: %v", text, err)
	}
	var lines []string
	for line := range strings.Lines(says) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

// laid lays one map over another as Helmfile does: a null hides what is below.
func laid(base, over map[string]any) map[string]any {
	out := maps.Clone(base)
	for key, v := range over {
		under, both := out[key].(map[string]any)
		if m, isMap := v.(map[string]any); isMap && both {
			v = laid(under, m)
		}
		out[key] = v
	}
	return out
}

// odd are values that people write where something else belongs, or that belong.
var odd = []string{
	"null", "~", "", "''", "5", "-2", "-1", "0", "1.5", "true", "a", "A", "'a b'", "'5'", "'true'", "[]", "{}", "[a]", "[5]", "[true]", "[null]", "['']", "[a, '', A]", "[[a]]",
	"{ a: b }", "{ a: 5 }", "{ a: true }", "{ a: [b] }", "{ a: }", "{ a: { b: c } }", "[{ key: a }]", "[{ key: 5 }]", "[{ key: }]", "[{ kye: a }]", "[{ effect: NoSchedule }]", "[{ effect: Never }]",
	"[{ tolerationSeconds: 5 }]", "[{ tolerationSeconds: a }]", "[{ tolerationSeconds: 1.5 }]", "[{ operator: Exists }, { operator: Both }]", "[{ value: { a: b } }]", "[ReadWriteMany]", "[ReadWriteMay]",
	"ALLOW_ANY", "REGISTRY", "gke", "10Gi", "0Gi", "0.0", "1K", "5m", "5 minutes", "theme.yaml", "../theme.yaml", "a/../b.yaml", "/opt/bin", "/opt/../bin", "/opt//bin", "/opt/bin/", "a/", "a..b",
	"oci://example.com/a", "https://example.com", "https://me:pw@example.com/a", "https://example.com/a?b=c", "https://example.com:port/a", "git@example.com:a/b.git", "ssh://git@example.com/a", "https://me@example.com/a.git",
	"[PruneLast=true]", "[PruneLast]", "'{{ exec }}'", `"a\nb"`, `"a\n"`, strings.Repeat("a", 3000), strings.Repeat("a.", 124) + "com", "!!str 5", "2024-01-01",
	"istio-system", "spire-system", "spire-server", "kube-system", "kube-public", "argocd", "kora-system",
	"10.0.0.1", "'123'", "a.b1", "{ 'a b': c }", "{ a: x y }", `{ a: "x\ny" }`, "{ a/b: '' }", "{ A/b: c }", "{ a/b/c: d }", "{ a: -b }", "{ '': a }", "99999999999Ei", "8Ei", "7.5Ei", "1000000000000000000", "999999999999999", "1000000000000000", "9223372036854775808",
	"reg.example.com:99999/x", "reg.example.com:0", "reg.example.com:65535/x", "reg.example.com/x//y", "reg.example.com/y..", "reg.example.com/x", "reg/x", "localhost/x", "oci://example.com:99999/x", "oci://example.com:65535/x", "https://example.com:0",
	"[{ operator: Exists, value: x }]", "[{ operator: Exists, value: '' }]", "[{ operator: Exists, value: }]", "[{ key: 'a b' }]", "[{ key: '' }]", "[{ key: a, value: -b }]", "[{ key: a, value: b }]", "[{ key: a, effect: NoExecute, tolerationSeconds: 5 }]",
	"[{ key: a, effect: NoExecute, tolerationSeconds: 9007199254740993 }]", "[{ key: a, effect: NoExecute, tolerationSeconds: -9007199254740993 }]", "[{ key: a, effect: NoSchedule, tolerationSeconds: 5 }]", "[{ key: a, tolerationSeconds: }]",
}

// R39: the guard refuses what Read refuses, of every fact and every kind of value,
// and names the same facts; what Read takes passes.
func TestGuardAgreesWithRead(t *testing.T) {
	for _, v := range odd {
		text, facts := everywhere(specs(), "", "", v)
		_, found := read(text)
		said := guarded(t, text)
		for _, at := range facts {
			refused := slices.ContainsFunc(found, func(f faults.Fault) bool { return fields.Path(f.Field).Within(fields.Path(at)) })
			told := slices.ContainsFunc(said, func(line string) bool { return names(line, at) })
			if refused != told {
				t.Errorf("%s: %s: Read refuses it: %t, the guard: %t", at, v, refused, told)
			}
		}
	}
	for name, r := range refusals {
		if !strings.Contains("two documents, duplicate, a list", name) && guarded(t, r.text) == nil {
			t.Errorf("the guard takes what Read refuses: %s", name)
		}
	}
	for _, text := range accepted {
		if said := guarded(t, text); said != nil {
			t.Errorf("%s%q", text, said)
		}
	}
}

// everywhere is an environment file in which every fact has one value, and the
// facts.
func everywhere(all []spec, path, indent, value string) (text string, facts []string) {
	for _, s := range all {
		text += indent + s.key + ":"
		if s.kind != reflect.Struct {
			text, facts = text+" "+value+"\n", append(facts, path+s.key)
			continue
		}
		below, more := everywhere(s.fields, path+s.key+".", indent+"  ", value)
		text, facts = text+"\n"+below, append(facts, more...)
	}
	return text, facts
}

// names reports whether a line of the guard is about a fact or what is in it.
func names(line, at string) bool {
	line = strings.TrimPrefix(line, "unknown field ")
	word, _, _ := strings.Cut(line, " ")
	return fields.Path(word).Within(fields.Path(at))
}

// R39: a block of facts that is none is refused by both, and what is in it is not
// looked for.
func TestGuardAgreesWithReadAboutBlocks(t *testing.T) {
	var walk func(all []spec, path []string)
	walk = func(all []spec, path []string) {
		for _, s := range all {
			if s.kind != reflect.Struct {
				continue
			}
			at := append(slices.Clone(path), s.key)
			for _, v := range []string{"null", "", "5", "a", "true", "[]", "[a]", "{}"} {
				text := least
				for i, key := range at {
					text += strings.Repeat("  ", i) + key + ":" + map[bool]string{true: " " + v}[i == len(at)-1] + "\n"
				}
				_, found := read(text)
				said := guarded(t, text)
				if found.Refused() != (said != nil) || said != nil && !slices.Equal(said, []string{strings.Join(at, ".") + " must be a map"}) {
					t.Errorf("%s: %s: Read says %v, the guard %q", at, v, found, said)
				}
			}
			walk(s.fields, at)
		}
	}
	walk(specs(), nil)
}

// R15, R39: the guard tells everything in one run: each fact that is wrong, on a
// line of its own, at the item where it is one.
func TestGuardTellsEverythingAtOnce(t *testing.T) {
	var want []string
	var wrong func(all []spec, path string) map[string]any
	wrong = func(all []spec, path string) map[string]any {
		out := map[string]any{"unheardOf": 1}
		want = append(want, "unknown field "+path+"unheardOf")
		for _, s := range all {
			at := path + s.key
			switch {
			case s.kind == reflect.Struct:
				out[s.key] = wrong(s.fields, at+".")
			case s.kind == reflect.Map:
				out[s.key] = map[string]any{"a": 1}
				want = append(want, at+".a must be a text")
			case s.item != nil:
				out[s.key] = []any{map[string]any{"key": 1, "kye": "a"}, "a"}
				want = append(want, "unknown field "+at+"[0].kye", at+"[0].key must be a text", at+"[1] must be a map")
			case s.kind == reflect.Slice:
				out[s.key] = []any{"{{", 1}
				says := forms()[s.form].expected()
				want = append(want, at+"[0] must be "+says, at+"[1] must be "+says)
			default:
				out[s.key] = []any{}
				want = append(want, at+" must be "+s.wanted())
			}
		}
		return out
	}
	text, err := yaml3.Marshal(wrong(specs(), ""))
	if err != nil {
		t.Fatal(err)
	}
	got := guarded(t, string(text))
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(want) < 60 {
		t.Errorf("%d", len(want))
	}
}

// A password in a fact is not shown again, nor is a fact run as a template.
func TestGuardShowsNoValue(t *testing.T) {
	for _, s := range []string{"charts: { kora: 'https://me:hunter2@example.com' }", "argocd: { syncOptions: [hunter2] }", "nodePools: { sandbox: { nodeSelector: { a: [hunter2] } } }"} {
		if said := fmt.Sprint(guarded(t, least+s)); strings.Contains(said, "hunter2") || said == "[]" {
			t.Errorf("%s: %s", s, said)
		}
	}
}

package release_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/plugin/release"
)

// R20: what Helm only logs is a warning at the value: a map where the chart has
// none, or none where it has a map; not told twice where it is refused.
func TestTablesAreTold(t *testing.T) {
	folder := chart(t, map[string]string{"values.yaml": "a: { b: text, c: { d: 1 } }\nlist: [1]\nnothing:\n", "templates/all.yaml": ""})
	out := release.Render(t.Context(), release.Request{Chart: folder, Values: valuesOf(t, "a:\n  b: { x: 1 }\n  c: 5\nlist: { y: 2 }\nnothing: { z: 1 }\nnew: { n: 1 }\n")})
	want := "KORA-R012 0.yaml:2:3 a.b\nKORA-R012 0.yaml:3:3 a.c\nKORA-R012 0.yaml:4:1 list\n"
	var got strings.Builder
	for _, f := range out.Found.Sorted() {
		fmt.Fprintf(&got, "%s %s:%d:%d %s\n", f.Code, filepath.Base(f.File), f.Line, f.Column, f.Field)
	}
	if got.String() != want || out.Found.Refused() {
		t.Errorf("got\n%swanted\n%s", got.String(), want)
	}
	in := inputOf("releases/kora")
	in.Files = append(in.Files, valuesOf(t, "agents: { replicas: { a: 1 } }").Files...)
	if out := release.Render(t.Context(), release.Request{Values: in}); len(out.Found) != 1 {
		t.Errorf("%s", told(out.Found))
	}
}

// R19: names are judged as Helm and Kubernetes do, by the flag that gives them.
func TestNamesOfTheRelease(t *testing.T) {
	for _, c := range []struct {
		name, namespace string
		flags           string
	}{
		{"", "", ""}, {"a.b-c", "a-b", ""}, {"1", "1", ""},
		{"Bad_Name", "", "--release-name"}, {strings.Repeat("a", 54), "", "--release-name"}, {"-a", "", "--release-name"},
		{"", "Bad_Name", "--namespace"}, {"", "a.b", "--namespace"}, {"", strings.Repeat("a", 64), "--namespace"},
		{"A", "B", "--namespace--release-name"},
		{"", "kube-system", "--namespace"}, {"", "kora-sandbox-mount", "--namespace"},
	} {
		out := release.Render(t.Context(), release.Request{Values: inputOf("releases/kora"), Name: c.name, Namespace: c.namespace})
		flags := ""
		for _, f := range out.Found.Sorted() {
			flags += f.File
		}
		if flags != c.flags {
			t.Errorf("%q in %q: %s", c.name, c.namespace, told(out.Found))
		}
	}
}

// R21: the release's namespace may be of others where kora's own is another.
func TestNamespaceOfOthersWithOneOfKoras(t *testing.T) {
	in := inputOf("releases/kora")
	in.Files = append(in.Files, valuesOf(t, "global: { systemNamespace: kora-system }").Files...)
	if out := release.Render(t.Context(), release.Request{Values: in, Namespace: "argocd"}); out.Found.Refused() {
		t.Error(told(out.Found))
	}
	in.Files = append(in.Files, valuesOf(t, "global: { systemNamespace: '' }").Files...)
	out := release.Render(t.Context(), release.Request{Values: in, Namespace: "argocd"})
	if len(out.Found) != 1 || out.Found[0].File != "--namespace" || out.Found[0].Found != "argocd" || out.Found[0].Line != 0 {
		t.Error(told(out.Found))
	}
}

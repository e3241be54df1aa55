package main

import (
	"strings"
	"testing"
)

// R43: what would be passed over is refused: a call that succeeds shows nothing.
func TestPluginRefusesWhatItWouldNotRead(t *testing.T) {
	patch := text(t, "../testdata/patches/example/50-nodeselector.yaml")
	for _, name := range []string{
		"patches/sub/50-a.yaml", "patches/sub.yaml/50-a.yaml", "patches/50-a.json", "patches/50-a.yaml.bak", "patches/README.md", "patches/50-a",
		"patches/50-a.YAML", "patches/.50-a.yaml", "patches/..data/50-a.yaml", "patches/kustomization.yaml~",
	} {
		got := cmpServer{}.generate(t, with(t, map[string]string{"patches/10-a.yaml": patch, name: patch}))
		if place := strings.Join(strings.Split(name, "/")[:2], "/"); got.status != 1 || !strings.Contains(got.words, "error: "+place+": ") {
			t.Errorf("%s: status %d\n%s", name, got.status, got.words)
		}
	}
	if got := (cmpServer{}).generate(t, with(t, map[string]string{"patches/10-a.yaml": patch, "patches/.gitkeep": ""})); got.status != 0 {
		t.Errorf("%s", got.words)
	}
}

// R43: a theme beside one of the values is refused, wherever those stand, and told
// with its place.
func TestPluginRefusesTwoThemes(t *testing.T) {
	const themed = "theme:\n  document:\n    apiVersion: x\n"
	kora := text(t, goodValues)
	theme := "productName: x\n"
	for name, c := range map[string]struct {
		a     application
		place string
	}{
		"kora.yaml":   {with(t, map[string]string{"kora.yaml": kora + themed, "theme.yaml": theme}), "kora.yaml:"},
		"as a text":   {with(t, map[string]string{"kora.yaml": kora + "theme: { document: \"a: 1\" }\n", "theme.yaml": theme}), "kora.yaml:"},
		"values file": {with(t, map[string]string{"more.yaml": themed, "theme.yaml": theme}, parameters("values-files", "more.yaml")), "more.yaml:3:"},
		"parameter":   {with(t, map[string]string{"theme.yaml": theme}, parameter("values", themed)), "parameter values:3:"},
	} {
		got := cmpServer{}.generate(t, c.a)
		if got.status != 1 || !strings.Contains(got.words, "error: "+c.place) || !strings.Contains(got.words, "KORA-M010") {
			t.Errorf("%s: status %d\n%s", name, got.status, got.words)
		}
	}
	for name, empty := range map[string]string{"empty": "theme: { document: \"\" }\n", "null": "theme: { document: null }\n"} {
		got := cmpServer{}.generate(t, with(t, map[string]string{"more.yaml": empty, "theme.yaml": theme}, parameters("values-files", "more.yaml")))
		if strings.Contains(got.words, "KORA-M010") {
			t.Errorf("%s:\n%s", name, got.words)
		}
	}
}

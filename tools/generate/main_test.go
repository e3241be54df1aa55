package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const definition = `---
kind: CustomResourceDefinition
metadata:
  annotations:
    controller-gen.kubebuilder.io/version: v0.0.0
  name: teams.example.com
spec: {}
`

// R19: deleting the chart keeps the definitions.
func TestDefinitionIsDressedForTheChart(t *testing.T) {
	got, err := dress([]byte(definition), "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	want := `kind: CustomResourceDefinition
metadata:
  annotations:
    controller-gen.kubebuilder.io/version: v0.0.0
    helm.sh/resource-policy: keep
  labels:
    app.kubernetes.io/component: crds
    app.kubernetes.io/name: kora-crds
    app.kubernetes.io/part-of: kora
    app.kubernetes.io/version: 1.2.3
  name: teams.example.com
spec: {}
`
	if string(got) != want {
		t.Errorf("got\n%s", got)
	}
}

func TestWhatHelmWouldMisreadIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"a template":     strings.Replace(definition, "spec: {}", "spec: {description: '{{ x }}'}", 1),
		"no annotations": strings.Replace(definition, "annotations:", "labels:", 1),
		"no name":        strings.Replace(definition, "\n  name:", "\n  nom:", 1),
	} {
		if _, err := dress([]byte(text), "1.2.3"); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

// The three ways to differ: changed, missing, and left over from a type that went.
func TestCheckNamesEveryDifferenceAndWritesNothing(t *testing.T) {
	root := t.TempDir()
	file := func(name string) string { return filepath.Join(root, templates, name) }
	if err := os.MkdirAll(file(""), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"changed.yaml": "old", "gone.yaml": "old", "same.yaml": "same", "NOTES.txt": "words"} {
		if err := os.WriteFile(file(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	made := map[string][]byte{}
	for name, text := range map[string]string{"changed.yaml": "new", "missing.yaml": "new", "same.yaml": "same"} {
		made[filepath.Join(templates, name)] = []byte(text)
	}
	var said []string
	for _, err := range compare(root, made) {
		said = append(said, err.Error())
	}
	if len(said) != 3 || !strings.Contains(said[0], "changed.yaml") || !strings.Contains(said[1], "missing.yaml") || !strings.Contains(said[2], "gone.yaml belongs to no type") {
		t.Errorf("%q", said)
	}
	if text, _ := os.ReadFile(file("changed.yaml")); string(text) != "old" {
		t.Error("the check wrote a file")
	}
	if errs := write(root, made); len(errs) > 0 {
		t.Fatal(errs)
	}
	if errs := compare(root, made); len(errs) > 0 {
		t.Errorf("after writing: %v", errs)
	}
	if _, err := os.Stat(file("NOTES.txt")); err != nil {
		t.Error("what is not a definition was removed")
	}
}

func TestUnknownArgumentIsUsage(t *testing.T) {
	for _, args := range [][]string{{"-wrong"}, {"extra"}} {
		var stderr bytes.Buffer
		if status := run(args, t.TempDir(), &stderr); status != 2 || stderr.Len() == 0 {
			t.Errorf("%q: status %d, %q", args, status, stderr.String())
		}
	}
}

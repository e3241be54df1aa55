package charts

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// read gives the embedded Chart.yaml.
func read(t *testing.T, chart string) map[string]any {
	t.Helper()
	files, err := Open(chart)
	if err != nil {
		t.Fatal(err)
	}
	text, err := fs.ReadFile(files, "Chart.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := yaml.UnmarshalStrict(text, &fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

// R19, "Fixed names": one version, from one file.
func TestChartHasTheVersionOfEverything(t *testing.T) {
	text, err := os.ReadFile("../VERSION")
	if err != nil {
		t.Fatal(err)
	}
	version := strings.TrimSpace(string(text))
	chart := read(t, CRDs)
	if chart["version"] != version || chart["appVersion"] != version {
		t.Errorf("version %v, appVersion %v, VERSION %s", chart["version"], chart["appVersion"], version)
	}
	if chart["kubeVersion"] != ">=1.34.0-0" || chart["type"] != "application" || chart["icon"] != nil {
		t.Errorf("%v", chart)
	}
}

// R19: the binary carries the chart's folder, whole.
func TestEmbeddedChartIsTheFolder(t *testing.T) {
	files, err := Open(CRDs)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	err = filepath.WalkDir(CRDs, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		seen++
		want, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		got, err := fs.ReadFile(files, strings.TrimPrefix(filepath.ToSlash(path), CRDs+"/"))
		if err == nil && !bytes.Equal(got, want) {
			t.Errorf("%s differs", path)
		}
		return err
	})
	if err != nil || seen < 10 {
		t.Errorf("%d files, %v", seen, err)
	}
}

func TestUnknownChartIsAnError(t *testing.T) {
	for _, name := range []string{"", "kora-crd", "kora-crds/templates", "../charts/kora-crds"} {
		if _, err := Open(name); err == nil {
			t.Errorf("%q was opened", name)
		}
	}
}

// R19, R40: every definition is kept when the release is deleted, has the labels by
// which people find it, and is plain YAML without Helm.
func TestDefinitionsAreKept(t *testing.T) {
	all, err := CustomResources()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 6 {
		t.Errorf("%d definitions", len(all))
	}
	for _, text := range all {
		var crd struct {
			Kind     string
			Metadata struct {
				Name                string
				Labels, Annotations map[string]string
			}
		}
		if err := yaml.Unmarshal(text, &crd); err != nil {
			t.Fatal(err)
		}
		m := crd.Metadata
		if crd.Kind != "CustomResourceDefinition" || m.Annotations["helm.sh/resource-policy"] != "keep" ||
			m.Labels["app.kubernetes.io/name"] != "kora-crds" || m.Labels["app.kubernetes.io/part-of"] != "kora" {
			t.Errorf("%s: %s, %v, %v", m.Name, crd.Kind, m.Labels, m.Annotations)
		}
		if bytes.Contains(text, []byte("{{")) {
			t.Errorf("%s is a template", m.Name)
		}
	}
}

package operatortest

import (
	"io/fs"
	"slices"
	"sort"
	"testing"

	"github.com/runkora/kora/charts"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/releaseutil"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// System is the namespace in which the chart is as if installed.
const System = "kora-system"

// Rendered gives the objects of kora's chart, less its hooks, with values over
// the least that it needs.
func Rendered(t testing.TB, values map[string]any, kinds ...string) []*unstructured.Unstructured {
	t.Helper()
	var all []*unstructured.Unstructured
	texts := render(t, values)
	names := make([]string, 0, len(texts))
	for name := range texts {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		documents := releaseutil.SplitManifests(texts[name])
		keys := make([]string, 0, len(documents))
		for key := range documents {
			keys = append(keys, key)
		}
		sort.Sort(releaseutil.BySplitManifestsOrder(keys))
		for _, key := range keys {
			o := &unstructured.Unstructured{}
			if err := yaml.Unmarshal([]byte(documents[key]), &o.Object); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if o.Object != nil && o.GetAnnotations()["helm.sh/hook"] == "" && (len(kinds) == 0 || slices.Contains(kinds, o.GetKind())) {
				all = append(all, o)
			}
		}
	}
	return all
}

func render(t testing.TB, values map[string]any) map[string]string {
	t.Helper()
	files, err := charts.Open(charts.Kora)
	if err != nil {
		t.Fatal(err)
	}
	var buffered []*loader.BufferedFile
	if err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, path)
		buffered = append(buffered, &loader.BufferedFile{Name: path, Data: text})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	chart, err := loader.LoadFiles(buffered)
	if err != nil {
		t.Fatal(err)
	}
	least := map[string]any{"frontendHost": "kora.example.com", "global": map[string]any{"trustDomain": "example.com"}}
	capabilities := chartutil.DefaultCapabilities.Copy()
	capabilities.KubeVersion = chartutil.KubeVersion{Version: "v1.36.0", Major: "1", Minor: "36"}
	merged, err := chartutil.ToRenderValues(chart, chartutil.CoalesceTables(values, least), chartutil.ReleaseOptions{Name: "kora", Namespace: System, IsInstall: true}, capabilities)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := engine.Render(chart, merged)
	if err != nil {
		t.Fatal(err)
	}
	delete(texts, "kora/templates/NOTES.txt")
	return texts
}

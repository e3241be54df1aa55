// Package helmtest renders parts of the embedded chart kora as Helm does, for the
// tests that hold the plugin's rules to the chart's (R20, R23).
package helmtest

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/charts"
)

// Chart is the embedded chart as Helm loads it, with those templates that begin with
// a path such as templates/checks/, and all that they include: others might stumble
// over values that the schema refuses.
func Chart(t testing.TB, templates string) *chart.Chart {
	t.Helper()
	files, err := charts.Open(charts.Kora)
	if err != nil {
		t.Fatal(err)
	}
	var all []*loader.BufferedFile
	err = fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		other := strings.HasPrefix(path, "templates/") && !strings.HasPrefix(path, templates) && !strings.HasSuffix(path, ".tpl")
		if err != nil || entry.IsDir() || other {
			return err
		}
		data, err := fs.ReadFile(files, path)
		all = append(all, &loader.BufferedFile{Name: path, Data: data})
		return err
	})
	out, loaded := loader.LoadFiles(all)
	if err := errors.Join(err, loaded); err != nil {
		t.Fatal(err)
	}
	return out
}

// Render gives what the templates make of values, by their paths, or the error that
// one of them fails with. The values are not held to the schema.
func Render(t testing.TB, of *chart.Chart, given any) (map[string]string, error) {
	t.Helper()
	text, err := yaml.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	read, err := chartutil.ReadValues(text)
	if err != nil {
		t.Fatal(err)
	}
	options := chartutil.ReleaseOptions{Name: "kora", Namespace: "kora-system", IsInstall: true}
	cluster := &chartutil.Capabilities{KubeVersion: chartutil.KubeVersion{Version: "v1.36.0", Major: "1", Minor: "36"}, APIVersions: chartutil.DefaultVersionSet}
	all, err := chartutil.ToRenderValuesWithSchemaValidation(of, read, options, cluster, true)
	if err != nil {
		t.Fatal(err)
	}
	return engine.Render(of, all)
}

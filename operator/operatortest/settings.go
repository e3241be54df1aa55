package operatortest

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/runkora/kora/operator/settings"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Settings are what the operator of the rendered chart reads, with values over
// the least that the chart needs. No port is listened on, and there is no lease.
func Settings(t testing.TB, values map[string]any) settings.Settings {
	t.Helper()
	folder := fstest.MapFS{}
	for name, text := range Modules(t, values) {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	s, found := settings.Load(folder, settings.Folder)
	if len(found) > 0 {
		t.Fatalf("the chart's own settings are refused: %+v", found)
	}
	s.Ports = settings.Ports{}
	s.LeaderElection.Enabled = false
	return s
}

// Modules are the files below the folder that the operator's Deployment mounts:
// its mount puts the slashes back into the keys of the ConfigMap.
func Modules(t testing.TB, values map[string]any) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, o := range Rendered(t, values, "ConfigMap") {
		if o.GetName() != "kora-operator" {
			continue
		}
		data, _, _ := unstructured.NestedStringMap(o.Object, "data")
		for key, text := range data {
			files[strings.ReplaceAll(strings.TrimSuffix(key, ".yaml"), ".", "/")+".yaml"] = text
		}
	}
	return files
}

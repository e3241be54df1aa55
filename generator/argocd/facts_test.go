package argocd

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/generator/output"
	"github.com/runkora/kora/generator/releases"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// R40: a folder tells every fact of which it was made: for each that an environment
// may tell otherwise, a run with the least of them finds that one, and no other, and
// the same environment finds none.
func TestEveryFactOfAFolderIsCompared(t *testing.T) {
	others := map[string]any{
		"frontendHost": "other.example.com", "clusterName": "c2", "systemNamespace": "platform", "imageRegistry": "registry.example.com",
		"imagePullSecrets": []string{"pull"}, "theme": "theme.yaml",
		"workspace.storageClassName": "fast", "workspace.accessModes": []string{"ReadWriteMany"}, "workspace.size": "5Gi",
		"nodePools.sandbox.nodeSelector": map[string]string{"a.b/pool": "a"}, "nodePools.sandbox.tolerations": []any{map[string]any{"operator": "Exists"}},
		"nodePools.sessionManager.nodeSelector": map[string]string{"pool": "a"}, "nodePools.sessionManager.tolerations": []any{map[string]any{"key": "a", "effect": "NoExecute", "tolerationSeconds": 5}},
		"spire.storageClassName": "fast", "spire.size": "2Gi", "spire.kubeletPath": "/var/lib/other", "spire.imageRegistry": "registry.example.com",
		"istio.revision": "r1", "istio.outboundTrafficPolicy": "REGISTRY_ONLY", "istio.platform": "gke", "istio.imageHub": "registry.example.com/istio",
		"istio.cni.binDir": "/opt/bin", "istio.cni.confDir": "/opt/conf",
		"charts.kora": "oci://mirror.example.com/kora", "charts.spire": "https://mirror.example.com/spire", "charts.istio": "https://mirror.example.com/istio",
		"argocd.namespace": "argo", "argocd.project": "platform", "argocd.destination": "https://other.example.com",
		"argocd.apps.url": "https://git.example.com/o.git", "argocd.apps.path": "other", "argocd.apps.revision": "v2",
		"argocd.values.url": "https://git.example.com/o.git", "argocd.values.path": "other", "argocd.values.revision": "v2",
		"argocd.tenants.url": "https://git.example.com/o.git", "argocd.tenants.path": "other", "argocd.tenants.revision": "v2",
		"argocd.syncOptions": []string{"PruneLast=true"}, "argocd.retry.limit": 9, "argocd.retry.duration": "11s", "argocd.retry.maxDuration": "11m",
		"argocd.automated": false, "argocd.selfHeal": false,
	}
	now := placed(t, least)
	least := madeOf(t, now)
	for path := range factsOf(now.Environment) {
		value, there := others[path]
		if !there && path != "trustDomain" { // which never moves, named or not
			t.Errorf("%s is not tried", path)
		}
		if !there {
			continue
		}
		old := placed(t, with(t, path, value))
		set, folder := madeOf(t, old), t.TempDir()
		if _, found := set.Write(folder, false); found.Refused() {
			t.Fatal(found)
		}
		if found := Moved(set, folder, old, false); len(found) != 0 {
			t.Errorf("%s: the same environment is another: %v", path, found)
		}
		found := Moved(least, folder, now, false)
		if len(found) != 1 || found[0].Code != faults.EnvironmentSplit || found[0].Field != path {
			t.Errorf("%s: %v", path, found)
		}
		if found := Moved(least, folder, now, true); len(found) != 0 {
			t.Errorf("%s: the environment was named, and its facts may move: %v", path, found)
		}
	}
}

// with is the least environment with one more fact, at a path.
func with(t *testing.T, path string, value any) string {
	t.Helper()
	root := map[string]any{}
	if err := yaml.Unmarshal([]byte(least), &root); err != nil {
		t.Fatal(err)
	}
	keys, at := strings.Split(path, "."), root
	for _, key := range keys[:len(keys)-1] {
		below, ok := at[key].(map[string]any)
		if !ok {
			below = map[string]any{}
			at[key] = below
		}
		at = below
	}
	at[keys[len(keys)-1]] = value
	text, err := yaml.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func placed(t *testing.T, facts string) environment.Placed {
	t.Helper()
	env, found := environment.ReadPlaced(source.NewFile("environments/example.yaml", facts))
	if found.Refused() {
		t.Fatal(found)
	}
	return env
}

func madeOf(t *testing.T, env environment.Placed) output.Set {
	t.Helper()
	g, err := releases.Reference(releases.Pins{Version: "1.4.0"})
	if err != nil {
		t.Fatal(err)
	}
	set, found := Generate(Input{Graph: g, Environment: env.Environment, File: env.File})
	if found.Refused() {
		t.Fatal(found)
	}
	return set
}

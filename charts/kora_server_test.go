package charts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/internal/testcluster/mesh"
)

// koraCluster is the shared cluster with what kora asks for, and a namespace as
// deploying-kora labels it.
func koraCluster(t *testing.T, version string) release {
	t.Helper()
	cluster := testcluster.Shared(t)
	r := release{t, helm(t, version, cluster.Kubeconfig()), cluster.Kubeconfig(),
		filepath.Join(cluster.Binaries(), "kubectl"), cluster.Namespace(t, testcluster.Restricted)}
	r.kube("", "label", "namespace", r.namespace, "pod-security.kubernetes.io/warn=restricted")
	mesh.Definitions(t, cluster)
	return r
}

// R6, R19, R25 to R31: a real API server takes every object of every example, and
// its Pod Security warns of no pod in the system namespace; every pod itself is
// taken where restricted is enforced, the node agent's in its own namespace alone.
func TestKoraClusterTakesEveryRelease(t *testing.T) {
	r := koraCluster(t, helms[0])
	for _, name := range releases {
		t.Run(name, func(t *testing.T) {
			all := manifests(t, template(t, r.run, r.namespace, append(valuesOf(name), "--set", "frontend.autoscaling.enabled=true")...))
			needed := selected(all, "Namespace", "ServiceAccount", "PriorityClass")
			r.kube(string(printed(t, needed)), "apply", "--server-side", "-f", "-")
			t.Cleanup(func() { r.kube(string(printed(t, needed)), "delete", "--wait=false", "-f", "-") })
			// A warning, as Pod Security gives for workloads, stands among the lines.
			for line := range strings.Lines(r.kube(string(printed(t, all)), "apply", "--server-side", "--dry-run=server", "-f", "-")) {
				if !strings.HasSuffix(line, "serverside-applied (server dry run)\n") {
					t.Errorf("%s", line)
				}
			}
			r.kube(string(printed(t, pods(all))), "create", "--dry-run=server", "-f", "-")
		})
	}
}

// selected are the objects of some kinds.
func selected(all []map[string]any, kinds ...string) []map[string]any {
	var some []map[string]any
	for _, o := range all {
		for _, kind := range kinds {
			if o["kind"] == kind {
				some = append(some, o)
			}
		}
	}
	return some
}

// pods are those that the workloads and Jobs would make.
func pods(all []map[string]any) []map[string]any {
	var made []map[string]any
	for _, o := range all {
		template := podTemplate(o)
		if template == nil {
			continue
		}
		meta, from := map[string]any{}, o["metadata"].(map[string]any)
		if of, ok := template["metadata"].(map[string]any); ok {
			meta["labels"], meta["annotations"] = of["labels"], of["annotations"]
		}
		meta["name"], meta["namespace"] = from["name"], from["namespace"]
		spec := template["spec"].(map[string]any)
		// What a hook makes for its Job is made and gone with it.
		if account, _ := spec["serviceAccountName"].(string); account == "" {
			spec["serviceAccountName"] = "default"
		}
		made = append(made, map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec})
	}
	return made
}

// R6, R31: only the node agent of scale-out sandboxes is privileged, and it is
// alone in its namespace.
func TestKoraOnlyTheNodeAgentIsPrivileged(t *testing.T) {
	run := helm(t, helms[0], os.DevNull)
	for _, name := range releases {
		for _, o := range manifests(t, template(t, run, "kora-system", valuesOf(name)...)) {
			text, err := yaml.Marshal(podTemplate(o))
			if err != nil {
				t.Fatal(err)
			}
			privileged := strings.Contains(string(text), "privileged: true") || strings.Contains(string(text), "hostPath") || strings.Contains(string(text), "hostNetwork")
			if agent := title(o) == "DaemonSet kora-sandbox-mount/kora-sandbox-mount"; privileged != agent {
				t.Errorf("%s: %s: privileged is %v", name, title(o), privileged)
			}
		}
	}
}

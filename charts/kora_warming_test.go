package charts

import (
	"os"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
)

// placeholders is the Deployment of a release that warms.
func placeholders(t *testing.T, run func(...string) (string, error), namespace string, flags ...string) (appsv1.Deployment, []map[string]any) {
	t.Helper()
	all := manifests(t, template(t, run, namespace, append(append(valuesOf("warming"), "--set", "agents.sandboxWarming.mode=capacity"), flags...)...))
	for _, o := range selected(all, "Deployment") {
		if strings.HasSuffix(title(o), "/kora-sandbox-warmer") {
			return typed[appsv1.Deployment](t, o), append(selected(all, "PriorityClass"), o)
		}
	}
	t.Fatal("no placeholders")
	return appsv1.Deployment{}, nil
}

// R29: where a sandbox keeps away from others of its own will, a placeholder does so
// too, besides keeping away from placeholders.
func TestKoraPlaceholdersKeepTheAffinityOfSandboxes(t *testing.T) {
	t.Parallel()
	run := helm(t, helms[0], os.DevNull)
	const own = `{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"rack","labelSelector":{"matchLabels":{"app":"noisy"}}}]},` +
		`"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"gpu","operator":"Exists"}]}]}}}`
	for _, flags := range [][]string{nil, {"--set-json", "agents.workloads.common.affinity=" + own}} {
		d, _ := placeholders(t, run, "kora-system", flags...)
		affinity := d.Spec.Template.Spec.Affinity
		var keys []string
		for _, term := range affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution {
			keys = append(keys, term.TopologyKey+" "+term.LabelSelector.MatchLabels["app"])
		}
		want := []string{"kubernetes.io/hostname kora-sandbox-warmer"}
		if flags != nil {
			want = append([]string{"rack noisy"}, want...)
		}
		if !slices.Equal(keys, want) || (affinity.NodeAffinity != nil) != (flags != nil) {
			t.Errorf("%v: keeps away from %q, wanted %q", flags, keys, want)
		}
	}
}

// R29: replicas is how many warm nodes there are: the real scheduler puts one
// placeholder on a node, also through a rollout, and one too many waits for a node;
// each has a priority below any pod that names none.
func TestKoraClusterWarmsANodeAPlaceholder(t *testing.T) {
	r := koraCluster(t, helms[0])
	defer r.kube("", "delete", "priorityclass", "-l", "app=kora-sandbox-warmer")
	apply := func(replicas string, more ...string) {
		_, objects := placeholders(t, r.run, r.namespace, append(more, "--set", "agents.sandboxWarming.replicas="+replicas)...)
		r.kube(string(printed(t, objects)), "apply", "--server-side", "-f", "-")
	}
	get := func(path string) []string {
		return strings.Fields(r.kube("", "get", "pods", "-n", r.namespace, "-l", "app=kora-sandbox-warmer", "-o", "jsonpath={.items[*]."+path+"}"))
	}
	apply("2")
	r.kube("", "rollout", "status", "deployment/kora-sandbox-warmer", "-n", r.namespace, "--timeout=60s")
	nodes := get("spec.nodeName")
	slices.Sort(nodes)
	if !slices.Equal(nodes, []string{"kora-sandbox-a", "kora-sandbox-b"}) {
		t.Errorf("two placeholders are on %q", nodes)
	}
	for _, priority := range get("spec.priority") {
		if !strings.HasPrefix(priority, "-") {
			t.Errorf("a placeholder has the priority %s", priority)
		}
	}
	apply("2", "--set", "agents.sandboxWarming.priority=-5")
	r.kube("", "rollout", "status", "deployment/kora-sandbox-warmer", "-n", r.namespace, "--timeout=60s")
	apply("3", "--set", "agents.sandboxWarming.priority=-5")
	r.kube("", "wait", "pods", "-n", r.namespace, "-l", "app=kora-sandbox-warmer", "--for=jsonpath={.status.conditions[?(@.type=='PodScheduled')].status}", "--timeout=60s")
	if nodes := get("spec.nodeName"); len(nodes) != 2 {
		t.Errorf("three placeholders are on %q", nodes)
	}
}

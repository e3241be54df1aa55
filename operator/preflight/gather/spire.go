package gather

import (
	"context"
	"encoding/json"
	"regexp"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/operator/preflight/facts"
)

// spire reads the three ConfigMaps of SPIRE. Of each only what preflight judges
// is kept: the server's may hold how it reaches its own database.
func (r *reader) spire(ctx context.Context, agents string, out *facts.Spire) {
	servers := r.serverNamespace(ctx)
	domains := map[string]string{}
	agent, why := r.file(ctx, agents, "spire-agent", "agent.conf")
	out.SDS = facts.Known(facts.SDS{Svid: agent["default_svid_name"], Bundle: agent["default_bundle_name"], AllBundles: agent["default_all_bundles_name"]})
	if why != "" {
		out.SDS = facts.Unknown[facts.SDS](why)
	} else {
		domains[agents+"/spire-agent"] = agent["trust_domain"]
	}
	server, serverWhy := r.file(ctx, servers, "spire-server", "server.conf")
	if serverWhy == "" {
		domains[servers+"/spire-server"] = server["trust_domain"]
	}
	manager, managerWhy := r.file(ctx, servers, "spire-controller-manager", "controller-manager-config.yaml")
	out.Class = facts.Known(manager["className"])
	if managerWhy != "" {
		out.Class = facts.Unknown[string](managerWhy)
	} else {
		domains[servers+"/spire-controller-manager"] = manager["trustDomain"]
	}
	out.TrustDomains = facts.Known(domains)
	for _, why := range []string{why, serverWhy, managerWhy} {
		if why != "" {
			out.TrustDomains = facts.Unknown[map[string]string](why)
		}
	}
}

// serverNamespace is where SPIRE's server runs, empty where none is seen.
func (r *reader) serverNamespace(ctx context.Context) string {
	sets, err := r.typed.AppsV1().StatefulSets(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return ""
	}
	for i := range sets.Items {
		if runs(sets.Items[i].Spec.Template.Spec, "spire-server") {
			return sets.Items[i].Namespace
		}
	}
	deployments, err := r.typed.AppsV1().Deployments(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		deployments = &appsv1.DeploymentList{}
	}
	for i := range deployments.Items {
		if runs(deployments.Items[i].Spec.Template.Spec, "spire-server") {
			return deployments.Items[i].Namespace
		}
	}
	return ""
}

// file reads the settings of one file of a ConfigMap, wherever in it they
// stand, or says why not.
func (r *reader) file(ctx context.Context, namespace, name, file string) (map[string]string, string) {
	if namespace == "" {
		return nil, "no workload of SPIRE was found that would tell the namespace of ConfigMap " + name
	}
	found, err := r.typed.CoreV1().ConfigMaps(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, unread[string](err).Missing
	}
	text, there := found.Data[file]
	if !there {
		return nil, "ConfigMap " + namespace + "/" + name + " has no key " + file
	}
	return settingsOf(text), ""
}

// settingsOf reads what preflight looks for from JSON, YAML, or HCL, which all
// three are what SPIRE is configured by.
func settingsOf(text string) map[string]string {
	var tree any
	out := map[string]string{}
	if json.Unmarshal([]byte(text), &tree) == nil || yaml.Unmarshal([]byte(text), &tree) == nil {
		collect(tree, out)
	}
	if len(out) == 0 {
		for _, pair := range hclPair().FindAllStringSubmatch(text, -1) {
			if wanted[pair[1]] {
				out[pair[1]] = pair[2]
			}
		}
	}
	return out
}

// wanted are the only keys that are kept.
var wanted = map[string]bool{
	"trust_domain": true, "default_svid_name": true, "default_bundle_name": true, "default_all_bundles_name": true,
	"className": true, "trustDomain": true,
}

var hclPair = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*(\w+)\s*=\s*"([^"]*)"\s*$`) })

func collect(tree any, out map[string]string) {
	switch t := tree.(type) {
	case map[string]any:
		for key, value := range t {
			if text, ok := value.(string); ok && wanted[key] {
				out[key] = text
				continue
			}
			collect(value, out)
		}
	case []any:
		for _, item := range t {
			collect(item, out)
		}
	}
}

package gather

import (
	"context"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/runkora/kora/operator/preflight/facts"
)

func (r *reader) noSpire(into *facts.Spire, why string) {
	into.SDS, into.Class, into.TrustDomains = facts.Unknown[facts.SDS](why), facts.Unknown[string](why), facts.Unknown[map[string]string](why)
	into.Manager = facts.Unknown[facts.Manager](why)
}

// spire reads the three ConfigMaps of SPIRE. Of each only what preflight judges
// is kept: the server's may hold how it reaches its own database. The agents'
// namespace is trusted, and so is that of the server which their file names.
func (r *reader) spire(ctx context.Context, agents, stranger string, out *facts.Spire) {
	domains := map[string]string{}
	agent, why := r.file(ctx, place{at: agents, stranger: stranger}, "spire-agent", "agent.conf", "trust_domain")
	servers := r.serverNamespace(ctx, agents, agent["server_address"])
	out.SDS = facts.Known(facts.SDS{Svid: agent["default_svid_name"], Bundle: agent["default_bundle_name"], AllBundles: agent["default_all_bundles_name"]})
	if why != "" {
		out.SDS = facts.Unknown[facts.SDS](why)
	}
	domains[agents+"/spire-agent"] = agent["trust_domain"]
	server, serverWhy := r.file(ctx, servers, "spire-server", "server.conf", "trust_domain")
	domains[servers.at+"/spire-server"] = server["trust_domain"]
	manager, managerWhy := r.manager(ctx, servers, out)
	domains[servers.at+"/spire-controller-manager"] = manager
	out.TrustDomains = facts.Known(domains)
	for _, why := range []string{why, serverWhy, managerWhy} {
		if why != "" {
			out.TrustDomains = facts.Unknown[map[string]string](why)
		}
	}
}

// place is the namespace of a workload of SPIRE, empty where none is seen that
// is trusted, and one that is not; why says why none can be seen.
type place struct{ at, stranger, why string }

// serverNamespace is where SPIRE's server runs: in a namespace of the platform,
// in that of the agents, or in that which the agents connect to.
func (r *reader) serverNamespace(ctx context.Context, agents, address string) place {
	out := place{}
	named := ""
	if words := strings.Split(address, "."); len(words) > 1 {
		named = words[1]
	}
	take := func(m metav1.ObjectMeta, kind string, spec corev1.PodSpec) {
		switch {
		case !runs(spec, "spire-server"):
		case !reserved[m.Namespace] && m.Namespace != agents && m.Namespace != named:
			out.stranger = m.Namespace
			r.stranger("spire", kind+" "+m.Namespace+"/"+m.Name, "it runs the program of spire-server, in a namespace that neither the platform nor SPIRE's agents know of")
		case out.at == "" || m.Namespace == named:
			out.at = m.Namespace
		}
	}
	err := r.each(ctx, metav1.ListOptions{}, func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		return r.typed.AppsV1().StatefulSets(metav1.NamespaceAll).List(ctx, o)
	}, func(o runtime.Object) error {
		s := o.(*appsv1.StatefulSet)
		take(s.ObjectMeta, "StatefulSet", s.Spec.Template.Spec)
		return nil
	})
	if out.at != "" || err != nil {
		return out.unless(err)
	}
	err = r.each(ctx, metav1.ListOptions{}, func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		return r.typed.AppsV1().Deployments(metav1.NamespaceAll).List(ctx, o)
	}, func(o runtime.Object) error {
		d := o.(*appsv1.Deployment)
		take(d.ObjectMeta, "Deployment", d.Spec.Template.Spec)
		return nil
	})
	return out.unless(err)
}

// unless keeps why nothing was seen; what was seen before it stays.
func (p place) unless(err error) place {
	if err != nil && p.at == "" {
		p.why = unread[string](err).Missing
	}
	return p
}

// file reads the settings of one file of a ConfigMap, wherever in it they
// stand, or says why not. One that lacks the setting that every such file has is
// one that nobody here can read.
func (r *reader) file(ctx context.Context, in place, name, file, always string) (map[string]string, string) {
	text, why := r.text(ctx, in, name, file)
	if why != "" {
		return nil, why
	}
	out := settingsOf(text)
	if out[always] == "" || strings.Contains(out[always], "$") { // which is filled in from the environment
		return nil, "the key " + file + " of ConfigMap " + in.at + "/" + name + " could not be read: it says no " + always + ", as JSON, YAML or HCL"
	}
	return out, ""
}

// text is a key of a ConfigMap of SPIRE's, or why it could not be had.
func (r *reader) text(ctx context.Context, in place, name, file string) (text, why string) {
	if in.at == "" && in.why != "" {
		return "", in.why
	}
	if in.at == "" && in.stranger != "" {
		return "", facts.SpireElsewhere + in.stranger + ", which nobody of the platform knows of: nothing is taken from there"
	}
	if in.at == "" {
		return "", facts.NoSpire + " that would tell the namespace of ConfigMap " + name
	}
	found, err := r.typed.CoreV1().ConfigMaps(in.at).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return "", unread[string](err).Missing
	}
	text, there := found.Data[file]
	if !there {
		return "", "ConfigMap " + in.at + "/" + name + " has no key " + file
	}
	return text, ""
}

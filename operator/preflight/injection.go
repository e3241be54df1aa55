package preflight

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/operator/preflight/facts"
)

// labelInject is Istio's on a pod: "false" keeps its webhooks away.
const labelInject = "sidecar.istio.io/inject"

const webhooksOfInjection = "Istio's webhooks of injection"

// istioInjection judges whether Istio's webhooks take kora's pods, and lead to the
// revision that the other checks judge (R55). Labels of the namespace that are wrong
// have a check of their own: here they count as its fix leaves them.
func istioInjection(v *verdict) {
	if !known(v, webhooksOfInjection, v.facts.Injectors) {
		return
	}
	if !slices.ContainsFunc(v.facts.Injectors.Value, v.ofUsed) {
		v.noWebhook()
		return
	}
	if !known(v, "the namespaces", v.facts.Namespaces) || !v.lookedFor() {
		return
	}
	var bare []string
	var taken []Pod
	t := takers{dead: map[string]facts.Injector{}, instead: map[string]facts.Injector{}, besides: map[string]facts.Injector{}}
	for _, p := range v.injected() {
		takes, err := v.takersOf(p)
		if err != nil {
			v.unread("the selectors of "+webhooksOfInjection, err.Error(), v.webhooksOf(v.used().Name))
			return
		}
		if len(takes) == 0 {
			bare = append(bare, p.Name)
		}
		if slices.ContainsFunc(takes, v.ofUsed) {
			taken = append(taken, p)
		}
		t.sort(v, takes)
	}
	v.untaken(bare)
	v.elsewhere(t)
	v.left(taken)
}

// takers are the webhooks that take pods of kora's and are none of the revision that
// the other checks judge, by their configuration: that lead to nothing which runs, that
// take pods in its place, and that do so besides it.
type takers struct{ dead, instead, besides map[string]facts.Injector }

func (t takers) sort(v *verdict, takes []facts.Injector) {
	into := t.instead
	if slices.ContainsFunc(takes, v.ofUsed) {
		into = t.besides
	}
	for _, i := range takes {
		switch {
		case !v.leadsToIstiod(i):
			t.dead[i.Config] = i
		case !v.ofUsed(i):
			into[i.Config] = i
		}
	}
}

// ofUsed reports whether a webhook is of the revision that the other checks judge.
func (v *verdict) ofUsed(i facts.Injector) bool { return i.Revision == v.used().Name }

// leadsToIstiod reports whether a webhook leads to a control plane that runs.
func (v *verdict) leadsToIstiod(i facts.Injector) bool {
	return slices.ContainsFunc(v.facts.Revisions.Value, func(r facts.Revision) bool {
		return r.Name == i.Revision && r.Ready > 0 && (i.Namespace == "" || i.Namespace == r.Namespace)
	})
}

// injected are the pods of kora's that need a sidecar.
func (v *verdict) injected() []Pod {
	return slices.DeleteFunc(slices.Clone(v.pods()), func(p Pod) bool {
		return p.Labels[labelInject] == "false" || !p.Tenant && p.Namespace != v.Namespace
	})
}

// takersOf are the webhooks that the API server would ask about a pod.
func (v *verdict) takersOf(p Pod) (out []facts.Injector, err error) {
	in := v.mended()
	if p.Tenant {
		in = v.namespaceOf(p)
	}
	for _, i := range v.facts.Injectors.Value {
		namespace, err := selects(i.Namespaces, in, nil)
		if err != nil {
			return nil, fmt.Errorf("%s of %s: namespaceSelector: %w", i.Webhook, i.Config, err)
		}
		pod, err := selects(i.Pods, p.Labels, nil)
		if err != nil {
			return nil, fmt.Errorf("%s of %s: objectSelector: %w", i.Webhook, i.Config, err)
		}
		if namespace && pod {
			out = append(out, i)
		}
	}
	return out, nil
}

// mended are the labels of the system namespace, as the fix of its own check leaves them.
func (v *verdict) mended() map[string]string {
	out := map[string]string{security: "restricted"}
	maps.Copy(out, v.facts.Namespaces.Value[v.Namespace].Labels)
	out[namespaceName] = v.Namespace
	if !v.injects(out) {
		for _, word := range v.injecting() {
			key, value, set := strings.Cut(word, "=")
			if delete(out, strings.TrimSuffix(key, "-")); set {
				out[key] = value
			}
		}
	}
	return out
}

// wanting is what a webhook has to select by: nil, and a selector of nothing, take all.
func wanting(by *metav1.LabelSelector) string {
	if by == nil || len(by.MatchLabels)+len(by.MatchExpressions) == 0 {
		return "all"
	}
	return metav1.FormatLabelSelector(by)
}

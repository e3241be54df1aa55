package preflight

import (
	"maps"
	"slices"
	"strings"

	"github.com/runkora/kora/operator/preflight/facts"
)

// noWebhook tells that no webhook is of the revision which kora's pods are to be
// injected by. Istio's chart makes it: where it is not there the chart makes it again.
func (v *verdict) noWebhook() {
	r := v.used()
	config := "istio-sidecar-injector"
	if r.Name != defaultRevision {
		config += "-" + r.Name
	}
	if r.Namespace != istioNamespace {
		config += "-" + r.Namespace
	}
	found := map[string]bool{}
	for _, i := range v.facts.Injectors.Value {
		found[i.Config+" of revision "+i.Revision] = true
	}
	v.fail(Finding{
		Message: "no webhook of Istio's injects: pods would start without a sidecar, outside of the mesh", Object: "MutatingWebhookConfiguration " + config,
		Found: orNothing(some(slices.Collect(maps.Keys(found)))), Expected: "webhooks of revision " + r.Name + ", as Istio's chart istiod makes them",
		Fix: sound(v.istiod(r.Namespace, r.Name)+" # or by the means that installed Istio: they make the webhooks again", label(r.Namespace), label(r.Name), subdomain(v.TrustDomain)),
	})
}

// untaken tells of pods that no webhook takes: the webhooks are there, and somebody
// made them select otherwise, as istioctl does where a tag takes over from a revision.
func (v *verdict) untaken(pods []string) {
	if len(pods) == 0 {
		return
	}
	r := v.used()
	var selected []string
	for _, i := range v.facts.Injectors.Value {
		if v.ofUsed(i) {
			selected = append(selected, i.Config+" takes namespaces: "+wanting(i.Namespaces)+"; pods: "+wanting(i.Pods))
		}
	}
	slices.Sort(selected)
	v.fail(Finding{
		Message: "no webhook of Istio's takes pods of kora: they would start without a sidecar, outside of the mesh", Object: some(pods), Field: "namespaceSelector, objectSelector",
		Found: some(slices.Compact(selected)), Expected: "a webhook that takes namespaces with " + labelled(v.mended()), Fix: sound(v.webhooksOf(r.Name)+v.selecting(r), label(r.Namespace), label(r.Name), subdomain(v.TrustDomain)),
	})
}

// selecting are words with the command by which the webhooks of a revision, or of the
// tag that kora is set to, select again as Istio means them to. They are made anew: what
// somebody else added to a selector Helm 3 leaves there, and Helm 4 stops at.
func (v *verdict) selecting(r *facts.Revision) string {
	tag, again := v.revision(), v.istiod(r.Namespace, r.Name)
	if tag == r.Name {
		tag = ""
	} else {
		again = v.on("istioctl", "tag", "set", tag, "--revision", r.Name, "--overwrite")
	}
	var configs []string
	for _, i := range v.facts.Injectors.Value {
		if v.ofUsed(i) && i.Tag == tag && subdomain(i.Config).wrong == "" {
			configs = append(configs, i.Config)
		}
	}
	slices.Sort(configs)
	if configs = slices.Compact(configs); len(configs) > 0 {
		again = v.on("kubectl", append([]string{"delete", "mutatingwebhookconfiguration"}, configs...)...) + " && " + again
	}
	return replaces(again)
}

// elsewhere tells of webhooks that take kora's pods and are not of the revision which
// the other checks judge.
func (v *verdict) elsewhere(t takers) {
	for _, name := range slices.Sorted(maps.Keys(t.dead)) {
		i := t.dead[name]
		v.fail(Finding{
			Message: "a webhook that takes pods of kora leads to no control plane which runs: it would refuse them", Object: "MutatingWebhookConfiguration " + name,
			Found: "revision " + i.Revision + " in " + orNothing(i.Namespace), Expected: strings.Join(v.live(), " or "),
			Fix: v.webhook(name, "whoever made it starts that control plane, or removes it with what is left of its release"),
		})
	}
	for _, name := range slices.Sorted(maps.Keys(t.instead)) {
		v.fail(v.ofAnother(name, "a webhook of another revision takes pods of kora", t.instead[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(t.besides)) {
		if _, told := t.instead[name]; !told {
			v.warn(v.ofAnother(name, "webhooks of two revisions take pods of kora, and the later one's sidecar stays", t.besides[name]))
		}
	}
}

func (v *verdict) ofAnother(config, message string, i facts.Injector) Finding {
	return Finding{
		Message: message, Object: "MutatingWebhookConfiguration " + config, Found: "revision " + i.Revision, Expected: "revision " + v.used().Name,
		Fix: v.webhook(config, "whoever set its selectors decides which revision injects: istio.revision names that one, and the other takes no namespace of kora's"),
	}
}

// webhook shows a configuration, with words for whoever it belongs to.
func (v *verdict) webhook(config, words string) string {
	return sound(v.on("kubectl", "get", "mutatingwebhookconfiguration", config, "-o", "yaml")+remark(words), subdomain(config))
}

// webhooksOf shows those of a revision, its tags' included.
func (v *verdict) webhooksOf(revision string) string {
	return sound(v.on("kubectl", "get", "mutatingwebhookconfigurations", "-l", labelRevision+"="+revision, "-o", "yaml"), labelValue(revision))
}

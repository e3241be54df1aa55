package preflight

import (
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/operator/preflight/facts"
)

// webhooks are those that Istio's chart makes for a revision, or for a tag of it, which
// namespaces name so.
func webhooks(config, revision, named string) []facts.Injector {
	both := func(all ...*metav1.LabelSelector) *metav1.LabelSelector {
		out := &metav1.LabelSelector{}
		for _, s := range all {
			out.MatchExpressions = append(out.MatchExpressions, s.MatchExpressions...)
		}
		return out
	}
	const none = "DoesNotExist"
	inject, tag := only(labelInject, "NotIn", "false"), ""
	if named != revision {
		tag = named
	}
	one := func(prefix string, namespaces, pods *metav1.LabelSelector) facts.Injector {
		return facts.Injector{Config: config, Webhook: prefix + "sidecar-injector.istio.io", Revision: revision, Tag: tag, Namespace: "istio-system", Namespaces: namespaces, Pods: pods}
	}
	unlabelled := both(only(labelRevision, none), only(labelInjection, none))
	out := []facts.Injector{
		one("rev.namespace.", both(only(labelRevision, "In", named), only(labelInjection, none)), inject),
		one("rev.object.", unlabelled, both(inject, only(labelRevision, "In", named))),
	}
	if named == defaultRevision {
		out = append(out, one("namespace.", only(labelInjection, "In", "enabled"), inject), one("object.", unlabelled, both(only(labelInject, "In", "true"), only(labelRevision, none))))
	}
	return out
}

// deactivated are webhooks as istioctl leaves those of a revision from which a tag
// took over.
func deactivated(all []facts.Injector) []facts.Injector {
	out := slices.Clone(all)
	for i := range out {
		never := &metav1.LabelSelector{MatchLabels: map[string]string{"istio.io/deactivated": "never-match"}}
		out[i].Namespaces, out[i].Pods = never, never
	}
	return out
}

// canary is a second revision that runs.
func canary(f *facts.Facts) {
	f.Revisions.Value = append(f.Revisions.Value, facts.Revision{Name: "canary", Namespace: "istio-system", Versions: []string{"1.30.2"}, Ready: 1, TrustDomain: facts.Known("example.com"), CNI: facts.Known(true), Injection: facts.Known(&facts.Injection{Policy: "enabled"})})
}

// byCanary is an install that the second revision is to inject.
func byCanary(more func(*facts.Facts)) func(*facts.Facts, *Settings) {
	return func(f *facts.Facts, s *Settings) {
		canary(f)
		s.Revision = "canary"
		labels := f.Namespaces.Value["kora-system"].Labels
		delete(labels, labelInjection)
		labels[labelRevision] = "canary"
		more(f)
	}
}

// injecting is an Istio with these rules of injection.
func injecting(i facts.Injection) func(*facts.Facts, *Settings) {
	return spoiled(func(f *facts.Facts) { f.Revisions.Value[0].Injection = facts.Known(&i) })
}

// R55: a pod that says itself that it wants a sidecar gets one by any policy; of the others
// Never counts before Always, and Always before the policy, as istiod has it.
func TestWhomIstiodLeavesOut(t *testing.T) {
	kora := metav1.LabelSelector{MatchLabels: map[string]string{"app.kubernetes.io/part-of": "kora"}}
	other, none := metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}, metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "no"}}}
	list := func(all ...metav1.LabelSelector) []metav1.LabelSelector { return all }
	for name, c := range map[string]struct {
		rules facts.Injection
		want  State
	}{
		"always":                     {facts.Injection{Policy: "disabled", Always: list(kora)}, Passed},
		"never before always":        {facts.Injection{Policy: "enabled", Always: list(kora), Never: list(kora)}, Failed},
		"others never":               {facts.Injection{Policy: "enabled", Never: list(other)}, Passed},
		"selectors that take nobody": {facts.Injection{Policy: "enabled", Never: list(metav1.LabelSelector{}, none)}, Passed},
		"others always":              {facts.Injection{Policy: "disabled", Always: list(other, metav1.LabelSelector{})}, Failed},
	} {
		f, s := goodFacts(t), goodSettings()
		injecting(c.rules)(f, &s)
		if o := judged(f, s)["istio-injection"]; o.State != c.want {
			t.Errorf("%s: %s %+v", name, o.State, o.Findings)
		}
		s.Pods = []Pod{{Name: "Deployment kora-agents", Namespace: "kora-system", Labels: map[string]string{"app.kubernetes.io/part-of": "kora", labelInject: "true"}}}
		if o := judged(f, s)["istio-injection"]; o.State != Passed {
			t.Errorf("%s, asked for: %s %+v", name, o.State, o.Findings)
		}
	}
}

func wrongInjection() []wrong {
	const id = "istio-injection"
	return []wrong{
		{"no webhook of injection", spoiled(func(f *facts.Facts) { f.Injectors.Value = nil }), id, Failed, "no webhook of Istio's injects", "helm upgrade --install istiod istiod --repo " + istioCharts + " --version 1.31.1 -n istio-system"},
		{"injection that is off", injecting(facts.Injection{Policy: "disabled"}), id, Failed, "leaves pods of kora without a sidecar", `global: {proxy: {autoInject: "enabled"}} # in the values of Istio's chart istiod`},
		{"injection by no policy that there is", injecting(facts.Injection{Policy: "off"}), id, Failed, "leaves pods of kora without a sidecar", `autoInject: "enabled"`},
		{"agents that are never injected", injecting(facts.Injection{Policy: "enabled", Never: []metav1.LabelSelector{{MatchLabels: map[string]string{"app.kubernetes.io/part-of": "kora"}}}}), id, Failed, "leaves pods of kora without a sidecar", "kubectl -n istio-system get configmap istio-sidecar-injector"},
		{"a bundle without the rules of injection", spoiled(func(f *facts.Facts) { f.Revisions.Value[0].Injection = facts.Part[*facts.Injection]{} }), id, Unchecked, "could not be read", ""},
		{"rules of injection that nobody may read", spoiled(func(f *facts.Facts) {
			f.Revisions.Value[0].Injection = facts.Unknown[*facts.Injection]("configmaps is forbidden")
		}), id, Unchecked, "could not be read", ""},
		{"no webhook of the revision", byCanary(func(*facts.Facts) {}), id, Failed, "no webhook of Istio's injects", "helm upgrade --install istiod-canary istiod --repo " + istioCharts + " --version 1.30.2 -n istio-system"},
		{"webhooks that are deactivated", spoiled(func(f *facts.Facts) { f.Injectors.Value = deactivated(f.Injectors.Value) }), id, Failed, "no webhook of Istio's takes",
			"kubectl get mutatingwebhookconfigurations -l istio.io/rev=default -o yaml # whoever set this decides, and to replace it runs: kubectl delete mutatingwebhookconfiguration istio-sidecar-injector && helm upgrade --install istiod istiod"},
		{"a tag's webhooks that are deactivated", func(f *facts.Facts, s *Settings) {
			byCanary(func(f *facts.Facts) {
				f.Tags.Value["prod"], f.Namespaces.Value["kora-system"].Labels[labelRevision] = "canary", "prod"
				f.Injectors.Value = append(deactivated(webhooks("istio-revision-tag-prod", "canary", "prod")), webhooks("istio-sidecar-injector-canary", "canary", "canary")...)
			})(f, s)
			s.Revision = "prod"
		}, id, Failed, "no webhook of Istio's takes", "-l istio.io/rev=canary -o yaml # whoever set this decides, and to replace it runs: kubectl delete mutatingwebhookconfiguration istio-revision-tag-prod && istioctl tag set prod --revision canary --overwrite"},
		{"webhooks of some namespaces", spoiled(func(f *facts.Facts) {
			for i := range f.Injectors.Value {
				f.Injectors.Value[i].Namespaces = only(namespaceName, "NotIn", "kora-system")
			}
		}), id, Failed, "no webhook of Istio's takes", ""},
		{"webhooks of some pods", spoiled(func(f *facts.Facts) {
			for i := range f.Injectors.Value {
				f.Injectors.Value[i].Pods = only("team", "Exists")
			}
		}), id, Failed, "no webhook of Istio's takes", ""},
		{"webhooks of tenants alone", spoiled(func(f *facts.Facts) {
			for i := range f.Injectors.Value {
				f.Injectors.Value[i].Namespaces = only("runkora.io/tenant", "Exists")
			}
		}), id, Failed, "no webhook of Istio's takes", ""},
		{"a webhook to where nobody runs", spoiled(func(f *facts.Facts) {
			for i := range f.Injectors.Value {
				f.Injectors.Value[i].Namespace = "mesh"
			}
		}), id, Failed, "leads to no control plane", "kubectl get mutatingwebhookconfiguration istio-sidecar-injector -o yaml #"},
		{"a webhook that an old revision left", spoiled(func(f *facts.Facts) {
			f.Injectors.Value = append(f.Injectors.Value, webhooks("istio-sidecar-injector-mesh", "old", "default")...)
		}), id, Failed, "leads to no control plane", "kubectl get mutatingwebhookconfiguration istio-sidecar-injector-mesh -o yaml #"},
		{"a webhook of another revision instead", spoiled(func(f *facts.Facts) {
			canary(f)
			f.Injectors.Value = append(deactivated(f.Injectors.Value), webhooks("ours", "canary", "default")...)
		}), id, Failed, "another revision takes", "kubectl get mutatingwebhookconfiguration ours -o yaml #"},
		{"a webhook of another revision besides", spoiled(func(f *facts.Facts) {
			canary(f)
			f.Injectors.Value = append(f.Injectors.Value, webhooks("ours", "canary", "default")...)
		}), id, Warned, "two revisions take", "kubectl get mutatingwebhookconfiguration ours -o yaml #"},
		{"webhooks that may not be listed", spoiled(func(f *facts.Facts) {
			f.Injectors = facts.Unknown[[]facts.Injector](`mutatingwebhookconfigurations.admissionregistration.k8s.io is forbidden: User "jane" cannot list resource "mutatingwebhookconfigurations" in API group "admissionregistration.k8s.io" at the cluster scope`)
		}), id, Unchecked, "could not be read", "kubectl create clusterrole kora-preflight-list-mutatingwebhookconfigurations.admissionregistration.k8s.io --verb=list"},
		{"a selector that is none", spoiled(func(f *facts.Facts) { f.Injectors.Value[0].Pods = only("a", "Near", "b") }), id, Unchecked, "could not be read", "kubectl get mutatingwebhookconfigurations -l istio.io/rev=default -o yaml"},
	}
}

// R55: what no webhook takes names the pods, what the webhooks take, and the labels that
// one would have to; labels that are wrong have a check of their own, once.
func TestWhatNoWebhookTakesIsToldInFull(t *testing.T) {
	f, s := goodFacts(t), goodSettings()
	f.Injectors.Value = deactivated(f.Injectors.Value)
	f.Namespaces.Value["kora-system"].Labels[labelInjection] = "disabled"
	all := judged(f, s)
	o := all["istio-injection"]
	if o.State != Failed || len(o.Findings) != 1 || all["system-namespace"].State != Failed {
		t.Fatalf("%+v", all)
	}
	got := o.Findings[0]
	if got.Object != "agents, kora's services" || got.Found != "istio-sidecar-injector takes namespaces: istio.io/deactivated=never-match; pods: istio.io/deactivated=never-match" || !strings.HasSuffix(got.Expected, "with istio-injection=enabled") {
		t.Errorf("%+v", got)
	}
	f.Injectors.Value = goodFacts(t).Injectors.Value
	if o := judged(f, s)["istio-injection"]; o.State != Passed {
		t.Errorf("the label alone: %+v", o)
	}
	f.Namespaces.Value = map[string]facts.Namespace{}
	if o := judged(f, s)["istio-injection"]; o.State != Passed {
		t.Errorf("before the namespace is there: %+v", o)
	}
}

// R55: which webhooks take kora's pods goes by the selectors of Istio's own, whatever
// revision or tag kora is set to, and not by pods that want no sidecar.
func TestWhichWebhooksTakeKorasPods(t *testing.T) {
	taken := webhooks("istio-revision-tag-default", "canary", "default")
	for name, change := range map[string]func(*facts.Facts, *Settings){
		"a revision": byCanary(func(f *facts.Facts) {
			f.Injectors.Value = append(f.Injectors.Value, webhooks("istio-sidecar-injector-canary", "canary", "canary")...)
		}),
		"the tag default": spoiled(func(f *facts.Facts) {
			canary(f)
			f.Tags.Value["default"], f.Injectors.Value = "canary", append(deactivated(f.Injectors.Value), taken...)
		}),
		"a tag of which the namespace has the revision": func(f *facts.Facts, s *Settings) {
			byCanary(func(f *facts.Facts) {
				f.Tags.Value["prod"] = "canary"
				f.Injectors.Value = append(webhooks("istio-revision-tag-prod", "canary", "prod"), webhooks("istio-sidecar-injector-canary", "canary", "canary")...)
			})(f, s)
			s.Revision = "prod"
		},
		"pods without a sidecar, and of another namespace": func(f *facts.Facts, s *Settings) {
			s.Pods = []Pod{{Name: "Job a", Namespace: s.Namespace, Labels: map[string]string{labelInject: "false"}}, {Name: "DaemonSet b", Namespace: "other"}, {Name: "Deployment c", Namespace: s.Namespace}}
			for i := range f.Injectors.Value {
				f.Injectors.Value[i].Namespaces = &metav1.LabelSelector{MatchLabels: map[string]string{namespaceName: s.Namespace}}
			}
		},
		"a webhook by its URL": spoiled(func(f *facts.Facts) {
			for i := range f.Injectors.Value {
				f.Injectors.Value[i].Namespace = ""
			}
		}),
	} {
		f, s := goodFacts(t), goodSettings()
		change(f, &s)
		if all := judged(f, s); all["istio-injection"].State != Passed || all["istio-trust-domain"].State != Passed || all["system-namespace"].State != Passed {
			t.Errorf("%s: %+v", name, all["istio-injection"])
		}
	}
}

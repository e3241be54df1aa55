package preflight

import (
	"fmt"
	"slices"
	"strings"

	"github.com/runkora/kora/operator/preflight/facts"
)

// supported are the minors of Istio that kora runs on, and no other.
var supported = [...]string{"1.30", "1.31"}

func istioChecks() []Check {
	return []Check{
		{
			ID: "istio-running", Category: "istio",
			Why:   "kora's services talk to each other through Istio's sidecars alone",
			judge: istioRunning,
		},
		{
			ID: "istio-version", Category: "istio", Needs: []string{"istio-running"},
			Why:   "kora wires its own sidecars into those of Istio 1.30 and 1.31, and no other",
			judge: istioVersion,
		},
		{
			ID: "istio-revision", Category: "istio", Needs: []string{"istio-running"},
			Why:   "pods of a namespace whose revision does not run get no sidecar, or do not start",
			judge: istioRevision,
		},
		{
			ID: "istio-trust-domain", Category: "istio", Needs: []string{"istio-revision"},
			Why:   "an identity of another trust domain is nobody's, so every connection is refused",
			judge: istioTrustDomain,
		},
		{
			ID: "istio-cni", Category: "istio", Needs: []string{"istio-revision"},
			Why:   "without the CNI a sidecar needs the init container istio-init, which Pod Security restricted refuses",
			judge: istioCNI,
		},
	}
}

func istioRunning(v *verdict) {
	if !known(v, "the control planes of Istio", v.facts.Revisions) {
		return
	}
	for _, r := range v.facts.Revisions.Value {
		if r.Ready > 0 {
			return
		}
	}
	v.fail(Finding{
		Message: "no control plane of Istio is ready", Found: fmt.Sprintf("%d that have no ready pod", len(v.facts.Revisions.Value)),
		Expected: "a ready pod with the label app=istiod", Fix: "helmfile -e <environment> apply, or install Istio 1.31.1 by its own guide",
	})
}

func istioVersion(v *verdict) {
	for _, r := range v.facts.Revisions.Value {
		for _, text := range r.Versions {
			v.revisionVersion(r, text)
		}
	}
}

func (v *verdict) revisionVersion(r facts.Revision, text string) {
	object := "revision " + r.Name + " in " + r.Namespace
	if text == "" {
		v.unknown("the version of Istio's "+object, "its pods' images carry no version, and neither do their labels")
		return
	}
	minor := strings.Join(append(strings.SplitN(text, ".", 3), "", "")[:2], ".")
	if !slices.Contains(supported[:], minor) {
		v.fail(Finding{
			Message: "this version of Istio is not supported", Object: object, Found: text,
			Expected: strings.Join(supported[:], " or "), Fix: "install Istio 1.31.1 as another revision, move the namespaces to it, and take this one away",
		})
	}
}

// used is the revision that kora's namespace is injected by, nil when none is.
func (v *verdict) used() *facts.Revision {
	name := v.Revision
	if name == "" {
		name = "default"
	}
	if tagged := v.facts.Tags.Value[name]; tagged != "" && !v.runs(name) {
		name = tagged
	}
	i := slices.IndexFunc(v.facts.Revisions.Value, func(r facts.Revision) bool { return r.Name == name && r.Ready > 0 })
	if i < 0 {
		return nil
	}
	return &v.facts.Revisions.Value[i]
}

func (v *verdict) runs(name string) bool {
	return slices.ContainsFunc(v.facts.Revisions.Value, func(r facts.Revision) bool { return r.Name == name })
}

func istioRevision(v *verdict) {
	if v.used() != nil {
		return
	}
	if v.facts.Tags.Missing != "" {
		v.unknown("the revision tags of Istio", v.facts.Tags.Missing)
		return
	}
	var live []string
	for _, r := range v.facts.Revisions.Value {
		if r.Ready > 0 {
			live = append(live, r.Name)
		}
	}
	for tag, revision := range v.facts.Tags.Value {
		if slices.Contains(live, revision) {
			live = append(live, tag)
		}
	}
	slices.Sort(live)
	live = slices.Compact(live)
	v.fail(Finding{
		Message: "the revision of Istio that kora is set to does not run", Field: "istio.revision", Found: orDefault(v.Revision),
		Expected: strings.Join(live, " or "), Fix: "set istio.revision to " + strings.Join(live, " or ") + ", and label namespace " + v.Namespace + " with it",
	})
}

func orDefault(revision string) string {
	if revision == "" {
		return "the default revision"
	}
	return revision
}

func istioTrustDomain(v *verdict) {
	r := v.used()
	if !known(v, "the mesh configuration of revision "+r.Name, r.TrustDomain) {
		return
	}
	got := r.TrustDomain.Value
	if got == "" {
		got = "cluster.local" // Istio's own default
	}
	if got != v.TrustDomain {
		v.fail(Finding{
			Message: "Istio has another trust domain", Object: configMapOf("istio", r), Field: "mesh: trustDomain", Found: got, Expected: v.TrustDomain,
			Fix: "set meshConfig.trustDomain: " + v.TrustDomain + " in istiod's values; or, before anything is installed, global.trustDomain: " + got,
		})
	}
}

// configMapOf is the ConfigMap of a name that a revision reads.
func configMapOf(name string, r *facts.Revision) string {
	if r.Name != "default" {
		name += "-" + r.Name
	}
	return "ConfigMap " + r.Namespace + "/" + name
}

func istioCNI(v *verdict) {
	r := v.used()
	if known(v, "whether revision "+r.Name+" uses the CNI", r.CNI) && !r.CNI.Value {
		v.fail(Finding{
			Message: "istiod does not use Istio's CNI", Object: configMapOf("istio-sidecar-injector", r), Field: "values: pilot.cni.enabled",
			Found: "false", Expected: "true", Fix: "helm upgrade the istiod chart with --set pilot.cni.enabled=true",
		})
	}
	if known(v, "the DaemonSets", v.facts.DaemonSets) && len(v.daemons(facts.IstioCNI)) == 0 {
		v.fail(Finding{Message: "Istio's CNI is not installed", Expected: "the DaemonSet istio-cni-node", Fix: "install the chart istio/cni of the same version as istiod"})
	}
}

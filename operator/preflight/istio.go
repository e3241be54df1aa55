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
			ID: "istio-injection", Category: "istio", Needs: []string{"istio-revision"},
			Why:   "a pod that no webhook of Istio's takes starts without a sidecar, and nobody in the mesh talks to it",
			judge: istioInjection,
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
	v.strangers("istio")
	if !known(v, "the control planes of Istio", v.facts.Revisions) {
		return
	}
	for _, r := range v.facts.Revisions.Value {
		if r.Ready > 0 {
			return
		}
	}
	finding := Finding{Message: "no control plane of Istio is ready", Found: v.noIstiod(), Expected: "a ready pod with the label app=istiod", Fix: v.installWhereNone()}
	if n := len(v.facts.Revisions.Value); n > 0 {
		r := v.facts.Revisions.Value[0]
		finding.Found = fmt.Sprintf("%d, none of which has a ready pod", n)
		finding.Fix = sound(v.on("kubectl", "-n", r.Namespace, "describe", "pods", "-l", "app=istiod")+" # tells what they wait for", label(r.Namespace))
	}
	v.fail(finding)
}

// installWhereNone installs Istio where no Deployment of istiod is: one that is there, if
// scaled to nothing, is somebody's, and its version is theirs to say.
func (v *verdict) installWhereNone() string {
	look := `found="$(` + v.on("kubectl", "get", "deployments", "-A", "-l", "app=istiod", "--no-headers") + `)" && if test -n "$found"; then echo "$found"; else `
	return sound(look+v.installIstio()+"; fi # where a Deployment is printed, nothing is installed: scale that one up, or see what it waits for", label(v.revision()), subdomain(v.TrustDomain))
}

// noIstiod says what there is of istiod where none is the platform's.
func (v *verdict) noIstiod() string {
	if slices.ContainsFunc(v.facts.Strangers, func(s facts.Stranger) bool { return s.Of == "istio" }) {
		return "no pod with the label app=istiod where the platform's own is"
	}
	return "no pod with the label app=istiod"
}

func istioVersion(v *verdict) {
	for _, r := range v.facts.Revisions.Value {
		for _, text := range r.Versions {
			v.revisionVersion(r, text)
		}
		if len(r.Versions) == 0 { // no pod told one
			v.revisionVersion(r, "")
		}
	}
}

func (v *verdict) revisionVersion(r facts.Revision, text string) {
	object := "revision " + r.Name + " in " + r.Namespace
	if text == "" {
		v.unread("the version of Istio's "+object, "its pods' images carry no version, and neither do their labels",
			sound(v.on("kubectl", "-n", r.Namespace, "get", "pods", "-l", "app=istiod", "-o", "custom-columns=POD:.metadata.name,IMAGE:.spec.containers[*].image")+" # an image with a tag tells it", label(r.Namespace)))
		return
	}
	if !runsOn(text) {
		v.fail(Finding{
			Message: "this version of Istio is not supported", Object: object, Found: text,
			Expected: strings.Join(supported[:], " or ") + ", and no version before its release", Fix: sound(v.istiod(r.Namespace, r.Name)+" # or uninstall the release of this revision, where no namespace needs it", label(r.Namespace), label(r.Name), subdomain(v.TrustDomain)),
		})
	}
}

// runsOn reports whether kora runs on a version of Istio.
func runsOn(version string) bool {
	return slices.Contains(supported[:], minorOf(version)) && !beforehand.MatchString(version)
}

// minorOf is 1.31 of "1.31.1".
func minorOf(version string) string {
	return strings.Join(append(strings.SplitN(version, ".", 3), "", "")[:2], ".")
}

// used is the revision that kora's namespace is injected by, nil when none is.
func (v *verdict) used() *facts.Revision {
	name := v.behind(v.revision())
	i := slices.IndexFunc(v.facts.Revisions.Value, func(r facts.Revision) bool { return r.Name == name && r.Ready > 0 })
	if i < 0 {
		return nil
	}
	return &v.facts.Revisions.Value[i]
}

// defaultRevision is the name of the one without a name.
const defaultRevision = "default"

// revision is the name that kora is set to, of a revision or of a tag.
func (v *verdict) revision() string {
	if v.Revision == "" {
		return defaultRevision
	}
	return v.Revision
}

// behind is the revision that a tag stands for; a revision is its own. The tag "default"
// goes before the revision of that name, from which Istio takes the webhooks then.
func (v *verdict) behind(name string) string {
	if tagged := v.facts.Tags.Value[name]; tagged != "" && (!v.runs(name) || v.ready(tagged)) {
		return tagged
	}
	return name
}

func (v *verdict) runs(name string) bool {
	return slices.ContainsFunc(v.facts.Revisions.Value, func(r facts.Revision) bool { return r.Name == name })
}

func (v *verdict) ready(name string) bool {
	return slices.ContainsFunc(v.facts.Revisions.Value, func(r facts.Revision) bool { return r.Name == name && r.Ready > 0 })
}

func istioRevision(v *verdict) {
	if v.used() != nil {
		return
	}
	if v.facts.Tags.Missing != "" {
		v.unknown("the revision tags of Istio", v.facts.Tags.Missing)
		return
	}
	live := v.live()
	v.fail(Finding{
		Message: "the revision of Istio that kora is set to does not run", Field: "istio.revision", Found: orDefault(v.Revision),
		Expected: strings.Join(live, " or "), Fix: revisionFix(live),
	})
}

// live are the names that kora can be set to: revisions that run, and their tags.
func (v *verdict) live() []string {
	var out []string
	for _, r := range v.facts.Revisions.Value {
		if r.Ready > 0 {
			out = append(out, r.Name)
		}
	}
	for tag, revision := range v.facts.Tags.Value {
		if v.ready(revision) {
			out = append(out, tag)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func revisionFix(live []string) string {
	name := live[0]
	if name == defaultRevision {
		name = ""
	}
	return sound(setting(ofKora, "istio.revision", name)+", and namespaces need its label", labelValue(name))
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
			Fix: setting(ofIstiod, "meshConfig.trustDomain", v.TrustDomain),
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
			Found: "false", Expected: "true", Fix: sound(v.istiod(r.Namespace, r.Name), label(r.Namespace), label(r.Name), subdomain(v.TrustDomain)),
		})
	}
	if known(v, "the DaemonSets", v.facts.DaemonSets) && len(v.daemons(facts.IstioCNI)) == 0 {
		v.fail(Finding{Message: "Istio's CNI is not installed", Expected: "the DaemonSet istio-cni-node", Fix: sound(v.istioChart(v.keeping(r.Namespace, r.Name), r.Namespace, "istio-cni", "cni"), label(r.Namespace))})
	}
}

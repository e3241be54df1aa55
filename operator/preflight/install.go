package preflight

import "strings"

// istioNamespace is where Istio goes where nobody says otherwise.
const istioNamespace = "istio-system"

const (
	istioCharts   = "https://istio-release.storage.googleapis.com/charts"
	istioVersion1 = "1.31.1" // that the reference install has
)

// istioChart installs one of Istio's charts, or upgrades it and keeps its values.
func (v *verdict) istioChart(version, namespace, release, chart string, set ...string) string {
	words := []string{"upgrade", "--install", release, chart, "--repo", istioCharts, "--version", version, "-n", namespace, "--create-namespace", "--reset-then-reuse-values"}
	for _, s := range set {
		words = append(words, "--set", s)
	}
	return v.on("helm", words...)
}

// istiod is the chart of one revision, "default" being that without a name.
func (v *verdict) istiod(namespace, revision string) string {
	release, set := "istiod", []string{"pilot.cni.enabled=true", "meshConfig.trustDomain=" + v.TrustDomain}
	if revision != defaultRevision {
		release, set = "istiod-"+revision, append(set, "revision="+revision)
	}
	return v.istioChart(v.keeping(namespace, revision), namespace, release, "istiod", set...)
}

// keeping is the version of Istio that a revision runs, where kora runs on it: no fix
// of something else upgrades a control plane by the way.
func (v *verdict) keeping(namespace, revision string) string {
	for _, r := range v.facts.Revisions.Value {
		if r.Namespace == namespace && r.Name == revision && len(r.Versions) == 1 && runsOn(r.Versions[0]) {
			return r.Versions[0]
		}
	}
	return istioVersion1
}

func (v *verdict) installIstio() string {
	version := v.keeping(istioNamespace, v.revision())
	return sound(strings.Join([]string{v.istioChart(version, istioNamespace, "istio-base", "base"), v.istioChart(version, istioNamespace, "istio-cni", "cni"), v.istiod(istioNamespace, v.revision())}, " && "), label(v.revision()), subdomain(v.TrustDomain))
}

const spireCharts = "https://spiffe.github.io/helm-charts-hardened"

// installSpire installs the charts that the reference install has.
func (v *verdict) installSpire() string {
	chart := func(name, version string, set ...string) string {
		return v.on("helm", append([]string{"upgrade", "--install", name, name, "--repo", spireCharts, "--version", version, "-n", "spire-system", "--create-namespace", "--reset-then-reuse-values"}, set...)...)
	}
	return sound(chart("spire-crds", "0.6.1")+" && "+chart("spire", "0.30.2", "--set", "global.spire.trustDomain="+v.TrustDomain), subdomain(v.TrustDomain))
}

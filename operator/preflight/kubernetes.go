package preflight

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
)

const (
	oldestMinor = 34
	newestMinor = 36
)

func kubernetesChecks() []Check {
	return []Check{
		{
			ID: "kubernetes-version", Category: "kubernetes",
			Why:   "kora is tested on Kubernetes 1.34 to 1.36, and uses what older ones do not have",
			judge: kubernetesVersion,
		},
		{
			ID: "system-namespace", Category: "kubernetes",
			Why:   "the charts go into a namespace whose pods get sidecars and are held to Pod Security restricted",
			judge: systemNamespace,
		},
	}
}

func kubernetesVersion(v *verdict) {
	if !known(v, "the version of Kubernetes", v.facts.Kubernetes) {
		return
	}
	text := v.facts.Kubernetes.Value
	parsed, err := version.ParseGeneric(text)
	switch {
	case err != nil:
		v.unknown("the version of Kubernetes", fmt.Sprintf("%q is no version", text))
	case parsed.Major() != 1 || parsed.Minor() < oldestMinor:
		v.fail(Finding{
			Message: "Kubernetes is too old", Found: text, Expected: fmt.Sprintf("1.%d or later", oldestMinor),
			Fix: "upgrade the cluster's control plane, one minor at a time",
		})
	case parsed.Minor() > newestMinor:
		v.warn(Finding{Message: "nobody tried kora on this Kubernetes", Found: text, Expected: fmt.Sprintf("1.%d to 1.%d", oldestMinor, newestMinor),
			Fix: "look for a newer kora"})
	}
}

func systemNamespace(v *verdict) {
	if !known(v, "the namespaces", v.facts.Namespaces) {
		return
	}
	n, there := v.facts.Namespaces.Value[v.Namespace]
	object := "Namespace " + v.Namespace
	if !there {
		v.fail(Finding{Message: "the system namespace is not there", Object: object, Fix: "kubectl create namespace " + v.Namespace + " && " + v.labelling()})
		return
	}
	for _, label := range v.wantedLabels() {
		key, want, _ := strings.Cut(label, "=")
		if got := n.Labels[key]; got != want && !v.labelledOtherwise(key, n.Labels) {
			v.fail(Finding{
				Message: "a label of the system namespace is not as kora needs it", Object: object, Field: "metadata.labels." + key,
				Found: orNothing(got), Expected: want, Fix: v.labelling(),
			})
		}
	}
}

// wantedLabels are those of D, "Direct Helm": injection, and Pod Security.
func (v *verdict) wantedLabels() []string {
	injection := "istio-injection=enabled"
	if v.Revision != "" {
		injection = "istio.io/rev=" + v.Revision
	}
	return []string{injection, "pod-security.kubernetes.io/enforce=restricted"}
}

// labelledOtherwise: injection by the default revision's own name is as good as
// istio-injection.
func (v *verdict) labelledOtherwise(key string, labels map[string]string) bool {
	return key == "istio-injection" && labels[key] == "" && labels["istio.io/rev"] == "default"
}

func (v *verdict) labelling() string {
	return "kubectl label --overwrite namespace " + v.Namespace + " " + strings.Join(v.wantedLabels(), " ")
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

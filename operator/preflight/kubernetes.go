package preflight

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/runkora/kora/operator/preflight/facts"
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
			// What is in it can be read and tried whatever its labels are.
			blocks: func(s Settings, f *facts.Facts) bool {
				n, there := f.Namespaces.Value[s.Namespace]
				return !there || n.Leaving
			},
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
	case parsed.Major() < 1 || parsed.Major() == 1 && parsed.Minor() < oldestMinor || early(text, parsed):
		v.fail(Finding{
			Message: "Kubernetes is too old", Found: text, Expected: fmt.Sprintf("1.%d or later", oldestMinor),
			Fix: v.on("kubectl", "version") + " # then upgrade the control plane, one minor at a time, by the tools of whoever runs it",
		})
	case parsed.Major() > 1 || parsed.Minor() > newestMinor:
		v.warn(Finding{Message: "nobody tried kora on this Kubernetes", Found: text, Expected: fmt.Sprintf("1.%d to 1.%d", oldestMinor, newestMinor),
			Fix: v.on("helm", "show", "chart", "oci://ghcr.io/runkora/charts/kora") + " # tells the newest kora"})
	}
}

// early reports whether a version comes before the oldest one, as v1.34.0-rc.1
// does: what a cloud adds to a version of its own is no such mark.
func early(text string, v *version.Version) bool {
	return v.Major() == 1 && v.Minor() == oldestMinor && v.Patch() == 0 && beforehand.MatchString(text)
}

var beforehand = regexp.MustCompile(`-(alpha|beta|rc)(\.|$)`)

func systemNamespace(v *verdict) {
	if !known(v, "the namespaces", v.facts.Namespaces) {
		return
	}
	n, there := v.facts.Namespaces.Value[v.Namespace]
	object := "Namespace " + v.Namespace
	if !v.lookedFor() {
		return
	}
	if !there {
		v.fail(Finding{Message: "the system namespace is not there", Object: object, Fix: sound(v.on("kubectl", "create", "namespace", v.Namespace)+" && "+v.labelling(v.Namespace, nil, append(v.injecting(), restricted)...), label(v.Namespace), labelValue(v.Revision))})
		return
	}
	if n.Leaving {
		v.fail(Finding{Message: "the system namespace is being deleted, and takes nothing new", Object: object, Field: "metadata.deletionTimestamp", Found: "Terminating", Expected: "Active", Fix: v.leaving(v.Namespace)})
		return
	}
	v.injection(n, object)
	if got := n.Labels[security]; got != "restricted" {
		v.fail(Finding{
			Message: "a label of the system namespace is not as kora needs it", Object: object, Field: "metadata.labels." + security,
			Found: orNothing(got), Expected: "restricted", Fix: v.labelling(v.Namespace, n.Labels, restricted),
		})
	}
}

// lookedFor reports whether it is known if the system namespace is there.
func (v *verdict) lookedFor() bool {
	_, there := v.facts.Namespaces.Value[v.Namespace]
	looked := there || v.facts.Asked != nil && slices.Contains(v.facts.Asked.Namespaces, v.Namespace)
	if !looked {
		v.unread("Namespace "+v.Namespace, "nobody looked for it when these facts were collected", v.again("--only", v.id))
	}
	return looked
}

// leaving shows what the deletion of a namespace waits for: no values mend it.
func (v *verdict) leaving(namespace string) string {
	return sound(v.on("kubectl", "get", "namespace", namespace, "-o", "yaml")+" # status.conditions tells what its deletion waits for: let it end, and make the namespace again", label(namespace))
}

// The label of Pod Security, and what the system namespace needs of it.
const (
	security   = "pod-security.kubernetes.io/enforce"
	restricted = security + "=restricted"
)

// The two labels that choose who injects the pods of a namespace.
const (
	labelInjection = "istio-injection"
	labelRevision  = "istio.io/rev"
)

// injection judges which revision puts its sidecars into the namespace's pods.
func (v *verdict) injection(n facts.Namespace, object string) {
	if v.injects(n.Labels) {
		return
	}
	field, want := labelInjection, "enabled"
	if v.Revision != "" {
		field, want = labelRevision, v.Revision+", and no "+labelInjection
	}
	v.fail(Finding{
		Message: "the labels of the system namespace do not let that revision inject which kora is set to", Object: object, Field: "metadata.labels." + field,
		Found: labelled(n.Labels), Expected: want, Fix: v.labelling(v.Namespace, n.Labels, v.injecting()...),
	})
}

// injects reports whether labels let the revision inject that kora is set to.
func (v *verdict) injects(labels map[string]string) bool {
	got := injector(labels)
	return got != "" && v.behind(got) == v.behind(v.revision())
}

// injector is the revision that injects a namespace of these labels, as the
// webhooks of Istio's chart select it: istio-injection goes first, and one of a
// revision selects no namespace that has that label at all. Empty: none does.
func injector(labels map[string]string) string {
	if old, there := labels[labelInjection]; there {
		if old == "enabled" {
			return defaultRevision
		}
		return ""
	}
	return labels[labelRevision]
}

func labelled(labels map[string]string) string {
	var out []string
	for _, key := range []string{labelInjection, labelRevision} {
		if value, there := labels[key]; there {
			out = append(out, key+"="+value)
		}
	}
	return orNothing(strings.Join(out, ", "))
}

// injecting are the labels of D, "Direct Helm", for injection, as kubectl takes
// them: beside the old one that of a revision says nothing, and with it there no
// revision injects.
func (v *verdict) injecting() []string {
	if v.Revision == "" {
		return []string{labelInjection + "=enabled"}
	}
	return []string{labelInjection + "-", labelRevision + "=" + v.Revision}
}

// labelling gives a namespace labels that it lacks. Where one is there with
// another value it shows them, and the command that replaces it is words.
func (v *verdict) labelling(namespace string, has map[string]string, want ...string) string {
	set := func(words []string, flags ...string) string {
		return v.on("kubectl", slices.Concat([]string{"label"}, flags, []string{"namespace", namespace}, words)...)
	}
	gone := func(word string) bool { return strings.HasSuffix(word, "-") }
	fix := set(slices.DeleteFunc(slices.Clone(want), gone))
	for _, w := range want {
		key, value, _ := strings.Cut(w, "=")
		if got, there := has[strings.TrimSuffix(key, "-")]; there && (gone(w) || got != value) {
			fix = v.on("kubectl", "get", "namespace", namespace, "--show-labels") + replaces(set(want, "--overwrite"))
		}
	}
	return sound(fix, label(namespace), labelValue(v.Revision))
}

// replaces are words with the command that puts something in the place of what
// somebody set: they decide, and no fix does.
func replaces(command string) string {
	return remark("whoever set this decides, and to replace it runs: " + command)
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

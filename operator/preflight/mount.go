package preflight

import (
	"maps"
	"slices"

	"github.com/runkora/kora/operator/preflight/facts"
)

// The level that the node agent's namespace needs (R31), and what the server warns by.
const (
	atPrivileged   = security + "=privileged"
	warnPrivileged = "pod-security.kubernetes.io/warn=privileged"
)

// ofMount reports whether a namespace is the node agent's.
func (v *verdict) ofMount(namespace string) bool {
	return v.SandboxMount.Enabled && namespace == v.SandboxMount.Namespace
}

// mountLevel gives the node agent's namespace its level: no value and no patch makes
// the node agent fit another one.
func (v *verdict) mountLevel(besides ...string) string {
	want := append([]string{atPrivileged}, besides...)
	return v.labelling(v.SandboxMount.Namespace, v.facts.Namespaces.Value[v.SandboxMount.Namespace].Labels, want...)
}

// warnedFix is the way out of what the server warns of an object.
func (v *verdict) warnedFix(a facts.Answer, said string) string {
	if wouldViolate.MatchString(said) && v.ofMount(a.Namespace()) {
		return v.mountLevel(warnPrivileged)
	}
	return v.rendered()
}

// makes creates a namespace that the release needs and does not bring.
func (v *verdict) makes(namespace string) string {
	fix := v.on("kubectl", "create", "namespace", namespace)
	if v.ofMount(namespace) {
		fix += " && " + v.labelling(namespace, nil, atPrivileged) + remark("or let the chart make it: "+setting(ofKora, "sandboxMount.createNamespace", true))
	}
	return sound(fix, label(namespace))
}

// mountAbsent reports whether the node agent's namespace is not there: it was looked for
// by itself, and by the trial.
func (v *verdict) mountAbsent() bool {
	namespaces := v.facts.Namespaces
	_, there := namespaces.Value[v.SandboxMount.Namespace]
	return v.facts.Privileged.Value.Absent || namespaces.Missing == "" && !there
}

func privileged(v *verdict) {
	const what = "what the API server says to a privileged pod"
	if !known(v, what, v.facts.Privileged) || !v.tried(what, func(a *facts.Asked) string { return a.Mount }) {
		return
	}
	namespace := v.SandboxMount.Namespace
	if !v.SandboxMount.CreateNamespace && v.mountAbsent() {
		v.fail(Finding{Message: "the namespace of the node agent is not there, and the values have somebody else make it", Object: "Namespace " + namespace,
			Field: "sandboxMount.createNamespace", Found: "false", Expected: "the namespace, with the label " + atPrivileged, Fix: v.makes(namespace)})
	}
	a := v.facts.Privileged.Value
	want := "hostNetwork, hostPID and privileged are admitted in namespace " + namespace
	if a.Refused != "" {
		fix := v.refusedBy(a.Refused)
		if fix == "" {
			fix = v.mountLevel()
		}
		v.fail(Finding{Message: "a privileged pod is refused" + v.stoodIn("kube-system"), Object: a.Object, Found: a.Refused, Expected: want, Fix: fix})
	}
	for _, w := range a.Warnings {
		fix := v.refusedBy(w)
		if fix == "" {
			fix = v.again("--only", v.id)
		}
		v.warn(Finding{Message: "a privileged pod is refused" + v.stoodIn("default"), Object: a.Object, Found: w, Expected: want, Fix: fix})
	}
}

// stoodIn says where the pod was tried, empty: in the node agent's own namespace.
func (v *verdict) stoodIn(tried string) string {
	if !v.facts.Privileged.Value.Absent {
		return ""
	}
	return " in namespace " + tried + ", where it was tried since " + v.SandboxMount.Namespace + " is not there yet"
}

// unhoused tells once of each namespace that objects go into and that neither is there
// nor comes with the release.
func (v *verdict) unhoused() {
	objects := map[string][]string{}
	for _, a := range v.facts.Release.Value {
		if m := byAbsence.FindStringSubmatch(a.Refused); m != nil {
			objects[m[1]] = append(objects[m[1]], a.Object)
		}
	}
	for _, namespace := range slices.Sorted(maps.Keys(objects)) {
		v.fail(Finding{Message: "objects of the release go into a namespace that is not there, and that the release does not make", Object: some(objects[namespace]),
			Found: "nothing", Expected: "Namespace " + namespace, Fix: v.makes(namespace)})
	}
}

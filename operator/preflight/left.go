package preflight

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/runkora/kora/operator/preflight/facts"
)

// left tells of pods that Istio's webhooks take and istiod then leaves without a sidecar:
// those that do not say themselves that they want one, by its rules of injection.
func (v *verdict) left(pods []Pod) {
	pods = slices.DeleteFunc(pods, func(p Pod) bool { return p.Labels[labelInject] == "true" })
	if len(pods) == 0 {
		return
	}
	r := v.used()
	what := "which pods revision " + r.Name + " injects"
	if !known(v, what, r.Injection) {
		return
	}
	if r.Injection.Value == nil {
		v.unknown(what, "the file does not hold it: it was not looked for")
		return
	}
	by := map[string][]string{} // names of pods by the field that leaves them out
	for _, p := range pods {
		if field := leaves(r.Injection.Value, p); field != "" {
			by[field] = append(by[field], p.Name)
		}
	}
	for _, field := range slices.Sorted(maps.Keys(by)) {
		v.leftOut(r, field, by[field])
	}
}

func (v *verdict) leftOut(r *facts.Revision, field string, pods []string) {
	object := configMapOf("istio-sidecar-injector", r)
	finding := Finding{
		Message: "Istio's injection leaves pods of kora without a sidecar, outside of the mesh: " + some(pods), Object: object, Field: "config." + field,
		Found: fmt.Sprintf("%q, so that only pods with the label %s=true get one", r.Injection.Value.Policy, labelInject), Expected: "enabled",
		Fix: setting(ofIstiod, "global.proxy.autoInject", "enabled"),
	}
	if field != "policy" {
		finding.Found, finding.Expected = "selectors that take them", "none of pods of kora"
		finding.Fix = v.showConfigMap(strings.TrimPrefix(object, "ConfigMap ")) + remark("whoever installed "+ofIstiod+" sets: sidecarInjectorWebhook.neverInjectSelector without what takes these pods")
	}
	v.fail(finding)
}

// leaves is the rule by which istiod leaves a pod out that says nothing itself, empty:
// it injects it.
func leaves(i *facts.Injection, p Pod) string {
	takes := func(all []metav1.LabelSelector) bool {
		return slices.ContainsFunc(all, func(by metav1.LabelSelector) bool {
			selector, err := metav1.LabelSelectorAsSelector(&by)
			return err == nil && !selector.Empty() && selector.Matches(labels.Set(p.Labels))
		})
	}
	switch {
	case takes(i.Never):
		return "neverInjectSelector"
	case i.Policy != "enabled" && !takes(i.Always):
		return "policy"
	}
	return ""
}

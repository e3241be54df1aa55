package certificates

import (
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// R54: what keeps a webhook from a call is told by its field, and what widens it is not.
func TestWhatNarrowsAWebhook(t *testing.T) {
	inject := shapes["inject.runkora.io"]
	whole := func() reach {
		r := reach{path: "/inject", namespaces: inject.namespaces.DeepCopy(), objects: &metav1.LabelSelector{}, conditions: []admissionv1.MatchCondition{{Name: "x", Expression: inject.condition + "\n"}}}
		r.rules = []admissionv1.RuleWithOperations{{Operations: []admissionv1.OperationType{"CREATE", "UPDATE"},
			Rule: admissionv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods", "pods/ephemeralcontainers", "pods/resize", "pods/status"}}}}
		return r
	}
	namespaced, cluster := admissionv1.NamespacedScope, admissionv1.ClusterScope
	for name, c := range map[string]struct {
		change func(*reach)
		says   string
	}{
		"the chart's":     {func(*reach) {}, ""},
		"every namespace": {func(r *reach) { r.namespaces = nil }, ""},
		"no condition":    {func(r *reach) { r.conditions = nil }, ""},
		"every resource": {func(r *reach) {
			r.rules[0].Resources = []string{"*/*"}
			r.rules[0].Operations = []admissionv1.OperationType{"*"}
		}, ""},
		"every subresource": {func(r *reach) { r.rules[0].Resources = []string{"pods", "pods/*"}; r.rules[0].Scope = &namespaced }, ""},
		"two rules":         {func(r *reach) { r.rules = append(r.rules, *r.rules[0].DeepCopy()); r.rules[0].Resources = nil }, ""},
		"another path":      {func(r *reach) { r.path = "/" }, `it is asked at "/" and not at /inject`},
		"some objects":      {func(r *reach) { r.objects.MatchLabels = map[string]string{"a": "b"} }, "it has an objectSelector: a=b"},
		"some namespaces":   {func(r *reach) { r.namespaces.MatchLabels = map[string]string{"a": "b"} }, "it has another namespaceSelector"},
		"never": {func(r *reach) {
			r.conditions = append(r.conditions, admissionv1.MatchCondition{Name: "never", Expression: "false"})
		}, "it has another matchCondition, never"},
		"no resource":        {func(r *reach) { r.rules = nil }, "its rules leave out CREATE of pods"},
		"no subresource":     {func(r *reach) { r.rules[0].Resources = []string{"*"} }, "its rules leave out CREATE of pods/ephemeralcontainers"},
		"creation alone":     {func(r *reach) { r.rules[0].Operations = r.rules[0].Operations[:1] }, "its rules leave out UPDATE of pods"},
		"another group":      {func(r *reach) { r.rules[0].APIGroups = []string{"apps"} }, "its rules leave out"},
		"another version":    {func(r *reach) { r.rules[0].APIVersions = []string{"v2"} }, "its rules leave out"},
		"the cluster's only": {func(r *reach) { r.rules[0].Scope = &cluster }, "its rules leave out"},
	} {
		r := whole()
		c.change(&r)
		if said := inject.lacks(r); (said == "") != (c.says == "") || !strings.Contains(said, c.says) {
			t.Errorf("%s: %q, want %q", name, said, c.says)
		}
	}
	if said := (Settings{}).narrowed(nil); said != "inject.runkora.io: it is gone; validate.runkora.io: it is gone" {
		t.Errorf("of none: %q", said)
	}
}

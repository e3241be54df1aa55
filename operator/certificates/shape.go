package certificates

import (
	"fmt"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// reach is what a webhook is called for.
type reach struct {
	path                string
	rules               []admissionv1.RuleWithOperations
	namespaces, objects *metav1.LabelSelector
	conditions          []admissionv1.MatchCondition
}

// call is one request that a webhook must be called for.
type call struct {
	group, version, resource string
	operation                admissionv1.OperationType
}

// shape is what a webhook of the chart is called for. A test holds the chart to it.
type shape struct {
	path       string
	calls      []call
	namespaces *metav1.LabelSelector
	condition  string // that leaves out calls in which nothing changes
}

// shapes are the webhooks of the chart, by name, of both configurations.
var shapes = map[string]shape{
	"validate.runkora.io": {path: "/validate", calls: slices.Concat(
		calls("runkora.io", "v1alpha1", []string{"koratenants"}, admissionv1.Create, admissionv1.Update, admissionv1.Delete),
		calls("runkora.io", "v1alpha1", []string{"connections", "oauthclients", "mcpservers", "modelproviders", "sandboximages"}, admissionv1.Create, admissionv1.Update))},
	"inject.runkora.io": {path: "/inject",
		calls:      calls("", "v1", []string{"pods", "pods/ephemeralcontainers", "pods/resize", "pods/status"}, admissionv1.Create, admissionv1.Update),
		namespaces: &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "runkora.io/tenant", Operator: metav1.LabelSelectorOpExists}}},
		condition: "request.operation == 'CREATE' || object.spec != oldObject.spec ||" +
			" object.metadata.?labels.orValue({}) != oldObject.metadata.?labels.orValue({}) ||" +
			" object.metadata.?annotations.orValue({}) != oldObject.metadata.?annotations.orValue({})"},
}

func calls(group, version string, resources []string, operations ...admissionv1.OperationType) []call {
	var all []call
	for _, r := range resources {
		for _, o := range operations {
			all = append(all, call{group, version, r, o})
		}
	}
	return all
}

// narrowed says which of the chart's webhooks is not called for all that it must be
// called for, and why; nothing when each is. That one answers proves nothing of the
// other: they have one Service and one bundle, and each its own rules and selectors,
// which others can write.
func (s Settings) narrowed(all []configuration) string {
	found := map[string]string{}
	for name := range shapes {
		found[name] = "it is gone"
	}
	for _, c := range all {
		for _, e := range c.entries {
			if want, known := shapes[e.name]; known && s.ours(e) {
				found[e.name] = want.lacks(e.reach)
			}
		}
	}
	var said []string
	for name, why := range found {
		if why != "" {
			said = append(said, name+": "+why)
		}
	}
	slices.Sort(said)
	return strings.Join(said, "; ")
}

// lacks says what keeps a webhook from calls of its shape.
func (w shape) lacks(r reach) string {
	switch {
	case r.path != w.path:
		return fmt.Sprintf("it is asked at %q and not at %s", r.path, w.path)
	case some(r.objects):
		return "it has an objectSelector: " + metav1.FormatLabelSelector(r.objects)
	case some(r.namespaces) && !equality.Semantic.DeepEqual(r.namespaces, w.namespaces):
		return "it has another namespaceSelector: " + metav1.FormatLabelSelector(r.namespaces)
	}
	for _, c := range r.conditions {
		if strings.Join(strings.Fields(c.Expression), " ") != w.condition {
			return "it has another matchCondition, " + c.Name
		}
	}
	for _, c := range w.calls {
		if !slices.ContainsFunc(r.rules, c.in) {
			return fmt.Sprintf("its rules leave out %s of %s", c.operation, c.resource)
		}
	}
	return ""
}

func some(s *metav1.LabelSelector) bool {
	return s != nil && len(s.MatchLabels)+len(s.MatchExpressions) > 0
}

// in reports whether a rule has a call.
func (c call) in(r admissionv1.RuleWithOperations) bool {
	resource, sub, below := strings.Cut(c.resource, "/")
	names := []string{c.resource, "*/*"}
	if below {
		names = append(names, resource+"/*", "*/"+sub)
	} else {
		names = append(names, "*")
	}
	return slices.ContainsFunc(r.Operations, func(o admissionv1.OperationType) bool { return o == c.operation || o == admissionv1.OperationAll }) &&
		either(r.APIGroups, c.group, "*") && either(r.APIVersions, c.version, "*") && either(r.Resources, names...) &&
		(r.Scope == nil || *r.Scope == admissionv1.AllScopes || (*r.Scope == admissionv1.ClusterScope) == (c.resource == "koratenants"))
}

func either(has []string, names ...string) bool {
	return slices.ContainsFunc(has, func(h string) bool { return slices.Contains(names, h) })
}

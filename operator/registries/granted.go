package registries

import (
	"slices"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/status"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// lacks finds those wrong that the service may not read the Secret of, as the write failed
// that would have given it the right.
func (g *grant) lacks() {
	for _, r := range g.of {
		if g.bound && slices.Contains(g.has, needOf(r.object).secret) {
			continue
		}
		r.finding = finding{waiting: true, verdict: status.Bad(v1alpha1.ReasonFailed,
			ofGrant+"%s to read the Secret that it names could not be written: the operator tries again by itself", g.service)}
	}
}

// given are the Secrets that a Role of this shape gives, and none for any other.
func given(o *rbacv1.Role) []string {
	if len(o.Rules) != 1 || len(o.Rules[0].ResourceNames) == 0 {
		return nil
	}
	names := o.Rules[0].ResourceNames
	if !equality.Semantic.DeepEqual(o.Rules, (&grant{secrets: names}).rules()) {
		return nil
	}
	return names
}

func (g *grant) rules() []rbacv1.PolicyRule {
	return []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"secrets"}, Verbs: []string{"get"}, ResourceNames: g.secrets}}
}

package admit

import (
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/api/validation"

	"github.com/runkora/kora/internal/fields"
)

func (c *checker) rules(all []rbacv1.PolicyRule, cluster bool) {
	for i, r := range all {
		at := fields.Path("rules").Index(i)
		if len(r.Verbs) == 0 {
			c.add(at.Child("verbs"), "a rule has a verb", "", "such as [get]")
		}
		switch urls := len(r.NonResourceURLs) > 0; {
		case urls && !cluster:
			c.add(at.Child("nonResourceURLs"), "only a ClusterRole is for URLs", "it is set", "(none)")
		case urls && len(r.APIGroups)+len(r.Resources)+len(r.ResourceNames) > 0:
			c.add(at.Child("nonResourceURLs"), "a rule is for resources, or for URLs", "both", "one of the two")
		case urls:
		case len(r.APIGroups) == 0:
			c.add(at.Child("apiGroups"), "a rule names the groups of its resources", "", `such as [""]`)
		case len(r.Resources) == 0:
			c.add(at.Child("resources"), "a rule is for resources", "", "such as [pods]")
		}
	}
}

func (c *checker) binding(ref rbacv1.RoleRef, subjects []rbacv1.Subject, kinds ...string) {
	c.oneOf("roleRef.apiGroup", "no roles are in this group", ref.APIGroup, rbacv1.GroupName)
	c.oneOf("roleRef.kind", "what is bound is a role", ref.Kind, kinds...)
	if ref.Name == "" {
		c.add("roleRef.name", "a binding names a role", "", "a name")
	} else {
		c.must("roleRef.name", ref.Name, content.IsPathSegmentName)
	}
	for i, s := range subjects {
		at := fields.Path("subjects").Index(i)
		c.subject(at, s)
		if s.Name == "" {
			c.add(at.Child("name"), "a subject has a name", "", "a name")
		}
	}
}

func (c *checker) subject(at fields.Path, s rbacv1.Subject) {
	switch s.Kind {
	case rbacv1.ServiceAccountKind:
		if s.Name != "" {
			c.must(at.Child("name"), s.Name, func(name string) []string { return validation.ValidateServiceAccountName(name, false) })
		}
		if s.APIGroup != "" {
			c.add(at.Child("apiGroup"), "a ServiceAccount is in no group", s.APIGroup, "(none)")
		}
		if s.Namespace == "" {
			c.add(at.Child("namespace"), "a ServiceAccount is in a namespace", "", "a namespace")
		}
	case rbacv1.UserKind, rbacv1.GroupKind:
		if s.APIGroup != "" { // which is the default
			c.oneOf(at.Child("apiGroup"), "no users are in this group", s.APIGroup, rbacv1.GroupName)
		}
	default:
		c.oneOf(at.Child("kind"), "no such subject", s.Kind, rbacv1.ServiceAccountKind, rbacv1.UserKind, rbacv1.GroupKind)
	}
}

package tenants

import (
	"context"
	"slices"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/status"
	"github.com/runkora/kora/operator/upkeep"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// bindings are who may do what in each tenant's namespace: the chart's
// ClusterRoles, bound here and nowhere else. The operator's own comes first.
func bindings() []struct{ account, role string } {
	return []struct{ account, role string }{
		{"kora-operator", "kora-operator-tenant"},
		{"kora-agents", "kora-agents-tenant"},
		{"kora-egress", "kora-egress-tenant"},
	}
}

// rights binds the roles, and then does what needs them: the ServiceAccount of
// sandboxes and the pull Secrets. All of it is NamespaceReady.
func (p *pass) rights(ctx context.Context) status.Verdict {
	verdict := status.Good("")
	for _, b := range bindings() {
		thing := p.binding(b.account, b.role)
		p.bound = p.bound || p.absent(ctx, thing.Want)
		verdict = firstBad(verdict, p.keep(ctx, thing))
	}
	names, unsure, pulls := p.pullSecrets(ctx)
	verdict = firstBad(verdict, pulls)
	verdict = firstBad(verdict, p.pulling(ctx, names, unsure))
	if verdict.True() {
		return status.Good("namespace %s is there, with its rights and pull secrets", p.namespace.Name)
	}
	return verdict
}

// absent reports that a binding is not in force yet: it is not there, or so new
// that the API server's authorizer may not know it.
func (p *pass) absent(ctx context.Context, want client.Object) bool {
	live := &rbacv1.RoleBinding{}
	err := p.client.Get(ctx, client.ObjectKeyFromObject(want), live)
	return apierrors.IsNotFound(err) || err == nil && p.now.Sub(live.CreationTimestamp.Time).Abs() < retry
}

func (p *pass) binding(account, role string) upkeep.Thing {
	want := &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: role, Namespace: p.namespace.Name, Labels: p.labels()},
		RoleRef:    roleRef(role),
		Subjects:   p.subjects(account),
	}
	return upkeep.Thing{
		Want: want,
		Same: func(live client.Object) bool {
			o := live.(*rbacv1.RoleBinding)
			return o.RoleRef == want.RoleRef && equality.Semantic.DeepEqual(o.Subjects, want.Subjects)
		},
		Fixed: func(live client.Object) bool { return live.(*rbacv1.RoleBinding).RoleRef != want.RoleRef },
	}
}

func roleRef(role string) rbacv1.RoleRef {
	return rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role}
}

func (p *pass) subjects(account string) []rbacv1.Subject {
	return []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: account, Namespace: p.settings.SystemNamespace}}
}

// serviceAccount is that of sandboxes, which each namespace has.
const serviceAccount = "default"

// annotationPulls tells which pull Secrets of the ServiceAccount are the operator's.
const annotationPulls = "runkora.io/pull-secrets"

// pulling keeps the ServiceAccount. A pull Secret about which nobody could be asked stays
// in it, as the API server takes those of a pod from there once, when the pod is made: one
// made without them never pulls its image (R21).
func (p *pass) pulling(ctx context.Context, names, unsure []string) status.Verdict {
	if len(unsure) == 0 {
		return p.keep(ctx, p.account(names))
	}
	live := &corev1.ServiceAccount{}
	if err := p.live.Get(ctx, client.ObjectKey{Namespace: p.namespace.Name, Name: serviceAccount}, live); client.IgnoreNotFound(err) != nil {
		return p.listed("ServiceAccount", serviceAccount, p.fail(err))
	}
	var all []string // in their usual order, so that it is not written without need
	for _, each := range p.pulls() {
		if slices.Contains(names, each.name) || slices.Contains(unsure, each.name) && slices.Contains(live.ImagePullSecrets, corev1.LocalObjectReference{Name: each.name}) {
			all = append(all, each.name)
		}
	}
	return p.keep(ctx, p.account(all))
}

// account is the ServiceAccount under which sandboxes run: no token, and the pull
// Secrets (R5, R21). The namespace's controller makes it; what else it adds stays.
func (p *pass) account(pulls []string) upkeep.Thing {
	no := false
	want := &corev1.ServiceAccount{
		ObjectMeta: metav1.ObjectMeta{Name: serviceAccount, Namespace: p.namespace.Name, Labels: map[string]string{v1alpha1.LabelTenant: p.tenant.Name},
			Annotations: map[string]string{annotationPulls: strings.Join(pulls, ",")}}, // an apply takes off what is no longer in it
		AutomountServiceAccountToken: &no,
	}
	for _, name := range pulls {
		want.ImagePullSecrets = append(want.ImagePullSecrets, corev1.LocalObjectReference{Name: name})
	}
	return upkeep.Thing{Want: want, Added: true, Same: func(live client.Object) bool {
		o := live.(*corev1.ServiceAccount)
		return o.AutomountServiceAccountToken != nil && !*o.AutomountServiceAccountToken && !slices.ContainsFunc(want.ImagePullSecrets, func(r corev1.LocalObjectReference) bool {
			return !slices.Contains(o.ImagePullSecrets, r)
		})
	}}
}

package tenants

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/pages"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/status"
	"github.com/runkora/kora/operator/tenants/proof"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	// retained stands in the place of the UID of a KoraTenant that was deleted and
	// left its namespace: one of the same name may take it up again. It counts only
	// beside the operator's mark.
	retained = "retained"
	// making stands in the place of a namespace's UID, while the one of before has
	// gone: until the next one is there, none that somebody else makes is taken for it.
	making = "making"
)

// Owns reports whether a namespace is this very tenant's, as the KoraTenant itself
// tells: no other one goes with it. Of a KoraTenant that an older operator kept up
// the status tells.
func Owns(tenant *v1alpha1.KoraTenant, namespace *corev1.Namespace) bool {
	switch tenant.Annotations[v1alpha1.AnnotationNamespaceUID] {
	case string(namespace.UID):
		return true
	case "":
		uid, told := namespace.Annotations[v1alpha1.AnnotationTenantUID]
		_, labelled := rules.TenantOf(namespace)
		return tenant.Status.Namespace == namespace.Name && (uid == string(tenant.UID) || labelled && !told)
	}
	return false
}

// own decides about adoption (R50): the namespace is the one that the KoraTenant
// names, or has the operator's mark, and was made for this KoraTenant or left behind
// by one of its name. What anybody can write on a namespace proves nothing.
func (p *pass) own(ctx context.Context, live *corev1.Namespace) (bool, status.Verdict) {
	key, err := p.key(ctx)
	if err != nil {
		return false, p.fail(err)
	}
	uid := live.Annotations[v1alpha1.AnnotationTenantUID]
	record := p.tenant.Annotations[v1alpha1.AnnotationNamespaceUID]
	switch {
	case Owns(p.tenant, live):
	case (record == "" || record == making) && proof.Made(key, live, p.tenant.UID):
	case proof.Marked(key, live) && uid == string(p.tenant.UID):
	case proof.Marked(key, live) && uid == retained:
		ctrl.LoggerFrom(ctx).Info("a namespace that was left behind is taken up again", "namespace", live.Name, "uid", live.UID)
	default:
		return false, p.foreign(ctx, live, proof.Marked(key, live), uid)
	}
	return true, status.Good("")
}

// foreign says of a namespace that is not this tenant's how a person hands it over,
// and who has rights in it that kora did not give. Nobody is told to delete it.
func (p *pass) foreign(ctx context.Context, live *corev1.Namespace, marked bool, uid string) status.Verdict {
	what := "is there, and nothing proves that kora made it: kora takes over no namespace"
	if marked {
		what = fmt.Sprintf("was made for another KoraTenant of this name (UID %q)", uid)
	}
	rights, err := p.strangers(ctx, live.Name)
	if err != nil {
		return p.fail(err)
	}
	return status.Bad(v1alpha1.ReasonConflict, "namespace %s %s. Make the KoraTenant under another name; or, if this namespace is the tenant's, look at what is in it and who has rights there (%s), and hand it over: kubectl annotate --overwrite koratenant %s %s=%s",
		live.Name, what, rights, p.tenant.Name, v1alpha1.AnnotationNamespaceUID, live.UID)
}

// strangers are the RoleBindings of a namespace that are not kora's own: by what they
// bind, since a name is anybody's to take, and told so that a name says nothing else.
func (p *pass) strangers(ctx context.Context, namespace string) (string, error) {
	var names []string
	for o, err := range pages.Of(ctx, p.live, &rbacv1.RoleBindingList{}, client.InNamespace(namespace)) {
		if err != nil {
			return "", err
		}
		if !p.isOwn(o.(*rbacv1.RoleBinding)) {
			names = append(names, told(o.GetName()))
		}
	}
	more := ""
	if slices.Sort(names); len(names) > shown {
		more = fmt.Sprintf(" and %d more", len(names)-shown)
	}
	if len(names) == 0 {
		return "no RoleBinding but kora's", nil
	}
	return "RoleBindings " + strings.Join(names[:min(shown, len(names))], ", ") + more, nil
}

// isOwn reports whether a RoleBinding binds one of kora's roles as the operator does.
func (p *pass) isOwn(o *rbacv1.RoleBinding) bool {
	return slices.ContainsFunc(bindings(), func(b struct{ account, role string }) bool {
		return b.role == o.Name && o.RoleRef == roleRef(b.role) && equality.Semantic.DeepEqual(o.Subjects, p.subjects(b.account))
	})
}

// longest is how much of a name is told that may be of any length.
const longest = 63

// told is a name of a kind whose names may hold any character: as it is where it is a
// plain one, and otherwise in quotes, with what a terminal would act on escaped.
func told(name string) string {
	if len(name) <= longest && len(validation.IsDNS1123Subdomain(name)) == 0 {
		return name
	}
	short := strings.ToValidUTF8(name[:min(len(name), longest)], "")
	if len(short) < len(name) {
		short += "…"
	}
	return fmt.Sprintf("%+q", short)
}

// record writes on the KoraTenant which namespace is its own, where uid tells, and the
// mark by which the webhook knows who has read the KoraTenant itself (R50, R54). It is not
// the object of this pass that changes: its status is written against what was read.
func (p *pass) record(ctx context.Context, uid string) error {
	key, err := p.key(ctx)
	if err != nil {
		return err
	}
	want := map[string]string{v1alpha1.AnnotationMark: proof.Tenant(key, p.tenant)}
	if uid != "" {
		want[v1alpha1.AnnotationNamespaceUID] = uid
	}
	o := p.tenant.DeepCopy()
	if o.Annotations == nil {
		o.Annotations = map[string]string{}
	}
	if maps.Copy(o.Annotations, want); maps.Equal(o.Annotations, p.tenant.Annotations) {
		return nil
	}
	return p.client.Patch(ctx, o, client.MergeFrom(p.tenant), client.FieldOwner(v1alpha1.Operator))
}

// key is that of marks, read or made once.
func (r *Reconciler) key(ctx context.Context) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.marks == nil {
		key, err := proof.Key(ctx, r.client, r.settings.SystemNamespace)
		if err != nil {
			return nil, err
		}
		r.marks = key
	}
	return r.marks, nil
}

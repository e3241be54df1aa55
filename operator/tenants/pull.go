package tenants

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/pages"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/status"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// pull is a Secret of the system namespace to copy, and the setting that names it.
type pull struct {
	name, field string
	at          *field.Path // nil: the chart's, which every tenant gets
}

// pulls are the chart's and the tenant's own, each once, in this order.
func (p *pass) pulls() []pull {
	var all []pull
	add := func(name, told string, at *field.Path) {
		if !slices.ContainsFunc(all, func(o pull) bool { return o.name == name }) {
			all = append(all, pull{name, told, at})
		}
	}
	for i, name := range p.settings.ImagePullSecrets {
		add(name, fmt.Sprintf("the chart's global.imagePullSecrets[%d]", i), nil)
	}
	for i, ref := range p.tenant.Spec.ImagePullSecrets {
		at := rules.PullSecret(i)
		add(ref.Name, at.String(), at)
	}
	return all
}

// pullSecrets keeps the copies equal and removes those that nothing names any
// more (R21). It gives the names of all that there should be, and of those about which
// the API server could not be asked: of these nobody knows.
func (p *pass) pullSecrets(ctx context.Context) (names, unsure []string, verdict status.Verdict) {
	own, err := p.secrets(ctx)
	if err != nil {
		return nil, p.unread(), p.fail(err)
	}
	verdict = status.Good("")
	listed := map[string]bool{}
	for _, each := range p.pulls() {
		v := p.pullSecret(ctx, each, own[each.name])
		refused := v.Reason == v1alpha1.ReasonInvalid && each.at != nil // it is not the tenant's to have: a copy of before goes
		listed[each.name] = !refused
		switch {
		case v.True() || own[each.name] != nil && !refused: // what was copied stays in use
			names = append(names, each.name)
		case !settled(v):
			unsure = append(unsure, each.name)
		}
		p.list("Secret", each.name, v)
		verdict = firstBad(verdict, v)
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if !listed[name] && copied(own[name]) {
			verdict = firstBad(verdict, p.stale(ctx, own[name]))
		}
	}
	return names, unsure, verdict
}

// settled reports whether a verdict is of what is there: not of an API server that did not
// answer, and not of something that is about to change.
func settled(v status.Verdict) bool {
	return v.True() || v.Status == metav1.ConditionFalse && v.Reason != v1alpha1.ReasonFailed
}

// unread lists all pull Secrets as such that could not be read.
func (p *pass) unread() (names []string) {
	for _, each := range p.pulls() {
		p.list("Secret", each.name, status.Wait("the Secrets of the namespace could not be read"))
		names = append(names, each.name)
	}
	return names
}

// secrets are the operator's own in the tenant's namespace, read once a pass: whole
// those that there should be, and of copies that nothing names any more as much as
// removes them. The label is anybody's to write: nothing else is held.
func (p *pass) secrets(ctx context.Context) (map[string]*corev1.Secret, error) {
	if p.owned != nil {
		return p.owned, nil
	}
	wanted := map[string]bool{v1alpha1.TenantCA: true, v1alpha1.EgressCA: true}
	for _, each := range p.pulls() {
		wanted[each.name] = true
	}
	owned := map[string]*corev1.Secret{}
	for o, err := range pages.Of(ctx, p.live, &corev1.SecretList{}, client.InNamespace(p.namespace.Name), client.MatchingLabels{v1alpha1.LabelManagedBy: v1alpha1.Operator}) {
		switch {
		case err != nil:
			return nil, err
		case wanted[o.GetName()]:
			owned[o.GetName()] = o.(*corev1.Secret)
		case copied(o):
			owned[o.GetName()] = &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: o.GetName(), Namespace: o.GetNamespace(), UID: o.GetUID(),
				DeletionTimestamp: o.GetDeletionTimestamp(), Annotations: map[string]string{v1alpha1.AnnotationPullSecret: "-"}}}
		}
	}
	p.owned = owned
	return owned, nil
}

// copied reports whether a Secret says that it is a copy of one of the platform's.
func copied(o client.Object) bool { return o.GetAnnotations()[v1alpha1.AnnotationPullSecret] != "" }

// stale removes a copy of what is not to be copied any more.
func (p *pass) stale(ctx context.Context, live *corev1.Secret) status.Verdict {
	if err := p.keeper().Remove(ctx, live); err != nil {
		return p.fail(err)
	}
	return status.Good("")
}

// pullSecret copies one Secret. Its type is what keeps every other Secret of the
// platform from ever being copied to a tenant.
func (p *pass) pullSecret(ctx context.Context, from pull, live *corev1.Secret) status.Verdict {
	source := &corev1.Secret{}
	err := p.client.Get(ctx, client.ObjectKey{Namespace: p.settings.SystemNamespace, Name: from.name}, source)
	switch {
	case from.name == v1alpha1.TenantCA || from.name == v1alpha1.EgressCA:
		return status.Bad(v1alpha1.ReasonInvalid, "%s: %s is the name of a certificate authority of the tenant: give the pull Secret another name", from.field, from.name)
	case apierrors.IsNotFound(err):
		return status.Bad(v1alpha1.ReasonReferenceNotFound, "%s: there is no Secret %s in the namespace %s: make it, or take it off the list", from.field, from.name, p.settings.SystemNamespace)
	case err != nil:
		return p.fail(err)
	case source.Type != corev1.SecretTypeDockerConfigJson:
		return status.Bad(v1alpha1.ReasonInvalid, "%s: Secret %s is of the type %q: only a pull Secret, of the type %s, is copied to a tenant", from.field, from.name, source.Type, corev1.SecretTypeDockerConfigJson)
	case from.at != nil: // the chart's is everybody's
		if faults := rules.PlatformOf(p.settings).Granted(from.at, p.tenant.Name, source); len(faults) > 0 {
			return status.Bad(v1alpha1.ReasonInvalid, "%s", rules.Message(faults))
		}
	}
	want := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: source.Name, Namespace: p.namespace.Name, Labels: p.labels(),
			Annotations: map[string]string{v1alpha1.AnnotationPullSecret: source.Namespace + "." + source.Name}},
		Type: source.Type,
		Data: map[string][]byte{corev1.DockerConfigJsonKey: source.Data[corev1.DockerConfigJsonKey]},
	}
	return p.copy(ctx, want, live)
}

// copy makes a copy, or changes it where it differs. A Secret's type is fixed,
// and an immutable one is all fixed: such a copy is made anew.
func (p *pass) copy(ctx context.Context, want, live *corev1.Secret) status.Verdict {
	switch {
	case live == nil:
	case live.Type == want.Type && p.labelled(live) && equality.Semantic.DeepEqual(live.Data, want.Data) && live.Annotations[v1alpha1.AnnotationPullSecret] == want.Annotations[v1alpha1.AnnotationPullSecret]:
		return status.Good("")
	case live.Type == want.Type && (live.Immutable == nil || !*live.Immutable):
		want.ResourceVersion, want.UID = live.ResourceVersion, live.UID
		if err := p.client.Update(ctx, want, client.FieldOwner(v1alpha1.Operator)); err != nil {
			return p.fail(err)
		}
		return status.Good("")
	default:
		if err := p.keeper().Clear(ctx, live); err != nil {
			return p.fail(err)
		}
	}
	err := p.client.Create(ctx, want, client.FieldOwner(v1alpha1.Operator))
	switch {
	case apierrors.IsAlreadyExists(err) && live == nil:
		if is, err := p.stripped(ctx, want.Name, nil, copyOf(want)); err != nil || is != nil {
			return p.retake(ctx, want, is, err)
		}
		fallthrough
	case apierrors.IsAlreadyExists(err):
		return p.taken(ctx, want, "delete it, or give the pull Secret of the system namespace another name")
	case err != nil:
		return p.fail(err)
	}
	return status.Good("")
}

// copyOf reports whether a Secret is the copy that is wanted, and has only lost its labels.
func copyOf(want *corev1.Secret) func(context.Context, *corev1.Secret) (bool, error) {
	return func(_ context.Context, live *corev1.Secret) (bool, error) {
		return live.Type == want.Type && live.Labels[v1alpha1.LabelManagedBy] != v1alpha1.Operator &&
			live.Annotations[v1alpha1.AnnotationPullSecret] == want.Annotations[v1alpha1.AnnotationPullSecret], nil
	}
}

// retake gives such a copy its labels and its content back.
func (p *pass) retake(ctx context.Context, want, live *corev1.Secret, err error) status.Verdict {
	if err != nil {
		return p.fail(err)
	}
	return p.copy(ctx, want, live)
}

// taken judges a Secret that was there when it was to be made: somebody else's is
// left alone, and one that another operator has just made is read again at once.
func (p *pass) taken(ctx context.Context, want *corev1.Secret, fix string) status.Verdict {
	live := &corev1.Secret{}
	if err := p.client.Get(ctx, client.ObjectKeyFromObject(want), live); client.IgnoreNotFound(err) != nil {
		return p.fail(err)
	}
	if live.Name == "" || live.Labels[v1alpha1.LabelManagedBy] == v1alpha1.Operator {
		return p.fail(apierrors.NewConflict(corev1.Resource("secrets"), want.Name, errors.New("it was made at the same moment")))
	}
	return status.Bad(v1alpha1.ReasonConflict, "Secret %s in %s is not the operator's, and is left alone: %s", want.Name, want.Namespace, fix)
}

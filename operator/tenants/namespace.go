package tenants

import (
	"context"
	"errors"
	"maps"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/status"
	"github.com/runkora/kora/operator/tenants/proof"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// home makes the tenant's namespace, or takes the one that it made, and sets
// p.namespace when it is the tenant's own.
func (p *pass) home(ctx context.Context) status.Verdict {
	if v := p.named(); !v.True() {
		return v
	}
	want := p.wanted()
	live, err := p.find(ctx, want.Name)
	if err == nil && live == nil {
		live, err = p.create(ctx, want)
	}
	if err != nil {
		return p.listed("Namespace", want.Name, p.fail(err))
	}
	if owns, v := p.own(ctx, live); !owns {
		return p.listed("Namespace", live.Name, v)
	}
	p.tenant.Status.Namespace = live.Name
	if live.DeletionTimestamp != nil {
		if err := p.record(ctx, p.tenant.Annotations[v1alpha1.AnnotationNamespaceUID]); err != nil {
			return p.listed("Namespace", live.Name, p.fail(err))
		}
		return p.listed("Namespace", live.Name, status.Wait("namespace %s is being deleted: it is made anew when it has gone", live.Name))
	}
	if err := p.label(ctx, live, want); err != nil {
		return p.listed("Namespace", live.Name, p.fail(err))
	}
	p.namespace = live
	p.list("Namespace", live.Name, status.Good(""))
	return status.Good("")
}

// named: the schema refuses such names, unless its rules are older or were left out.
func (p *pass) named() status.Verdict {
	name := v1alpha1.TenantNamespace(p.tenant.Name)
	if len(p.tenant.Name) > v1alpha1.MaxTenantName || len(validation.IsDNS1123Label(p.tenant.Name)) > 0 {
		return status.Bad(v1alpha1.ReasonInvalid, "metadata.name %q does not make a namespace: a DNS label of at most %d characters does; make a KoraTenant of another name", p.tenant.Name, v1alpha1.MaxTenantName)
	}
	if name == p.settings.SystemNamespace {
		return status.Bad(v1alpha1.ReasonInvalid, "metadata.name %q is reserved: %s is the namespace of kora itself; make a KoraTenant of another name", p.tenant.Name, name)
	}
	return status.Good("")
}

// wanted is the namespace as it should be: Pod Security restricted, and the
// labels by which the mesh and kora inject their sidecars.
func (p *pass) wanted() *corev1.Namespace {
	labels := p.labels()
	for _, mode := range []string{"enforce", "audit", "warn"} {
		labels["pod-security.kubernetes.io/"+mode] = "restricted"
	}
	if revision := p.settings.Mesh.Revision; revision != "" {
		labels["istio.io/rev"] = revision
	} else {
		labels["istio-injection"] = "enabled"
	}
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: v1alpha1.TenantNamespace(p.tenant.Name), Labels: labels,
		Annotations: map[string]string{v1alpha1.AnnotationTenantUID: string(p.tenant.UID)}}}
}

// find looks into the cache, which holds only namespaces with the operator's
// label, and then asks the API server: the label may have been taken off.
func (r *Reconciler) find(ctx context.Context, name string) (*corev1.Namespace, error) {
	live := &corev1.Namespace{}
	err := r.client.Get(ctx, client.ObjectKey{Name: name}, live)
	if apierrors.IsNotFound(err) {
		live = &corev1.Namespace{}
		err = r.live.Get(ctx, client.ObjectKey{Name: name}, live)
	}
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	return live, err
}

// create never takes over what somebody else makes at the same moment. Of a namespace
// that has gone the KoraTenant is told first: none but the one made now is its own.
func (p *pass) create(ctx context.Context, want *corev1.Namespace) (*corev1.Namespace, error) {
	key, err := p.key(ctx)
	if err != nil {
		return nil, err
	}
	again := p.tenant.Annotations[v1alpha1.AnnotationNamespaceUID] != "" || p.tenant.Status.Namespace != ""
	if again {
		if err := p.record(ctx, making); err != nil {
			return nil, err
		}
	}
	made := want.DeepCopy()
	made.Annotations[v1alpha1.AnnotationMark] = proof.Making(key, made.Name, p.tenant.UID)
	err = p.client.Create(ctx, made, client.FieldOwner(v1alpha1.Operator))
	if apierrors.IsAlreadyExists(err) && again {
		return nil, apierrors.NewConflict(corev1.Resource("namespaces"), want.Name, errors.New("somebody made it at the same moment"))
	}
	if apierrors.IsAlreadyExists(err) {
		made = &corev1.Namespace{}
		err = p.live.Get(ctx, client.ObjectKeyFromObject(want), made)
	}
	return made, err
}

// contrary are the labels that take from those that kora sets what they say: the mesh's
// other ones, and an older Pod Security, whose restricted let more in.
var contrary = []string{
	"istio.io/rev", "istio-injection", "istio.io/dataplane-mode",
	"pod-security.kubernetes.io/enforce-version", "pod-security.kubernetes.io/audit-version", "pod-security.kubernetes.io/warn-version",
}

// label puts right what differs in the namespace's labels and annotations, and records
// it on the KoraTenant. Labels that contradict kora's go.
func (p *pass) label(ctx context.Context, live, want *corev1.Namespace) error {
	key, err := p.key(ctx)
	if err != nil {
		return err
	}
	if err := p.record(ctx, string(live.UID)); err != nil {
		return err
	}
	before := live.DeepCopy()
	if live.Labels == nil {
		live.Labels = map[string]string{}
	}
	if live.Annotations == nil {
		live.Annotations = map[string]string{}
	}
	for _, label := range contrary {
		if _, wanted := want.Labels[label]; !wanted {
			delete(live.Labels, label)
		}
	}
	maps.Copy(live.Labels, want.Labels)
	maps.Copy(live.Annotations, want.Annotations)
	if proof.Made(key, live, p.tenant.UID) { // it is new: no operator of before left an authority in it
		live.Annotations[v1alpha1.AnnotationAuthorityMarked] = authorityMarked(key, live)
	}
	live.Annotations[v1alpha1.AnnotationMark] = proof.Mark(key, live)
	if maps.Equal(before.Labels, live.Labels) && maps.Equal(before.Annotations, live.Annotations) {
		return nil
	}
	return p.client.Patch(ctx, live, client.MergeFrom(before), client.FieldOwner(v1alpha1.Operator))
}

package injection

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/pages"
)

// copies refuses claims of an agent's pod that somebody made of another agent's
// workspace, or of what another namespace has (R14): what the pod itself says of a claim
// is its name. The claims are asked of the API server, which never changes what one is
// made of. One that is not there yet could be made of anything afterwards; a dry run,
// which nothing comes of, goes without.
func (i *Injector) copies(ctx context.Context, r admission.Request, pod *corev1.Pod) (field.ErrorList, error) {
	mounted := mountedClaims(pod)
	if len(mounted) == 0 {
		return nil, nil
	}
	claims, err := i.claims(ctx, r.Namespace, mounted)
	if err != nil {
		return nil, err
	}
	slug := pod.Labels[agents.LabelAgentSlug]
	var faults field.ErrorList
	for _, m := range mounted {
		switch claim := claims[m.name]; {
		case claim != nil:
			faults = append(faults, copied(m.at, claim, slug)...)
		case r.DryRun == nil || !*r.DryRun:
			faults = append(faults, bad(m.at, m.name, "is not there, and nobody can tell what will be in it; create the claim before the pod"))
		}
	}
	return faults, nil
}

// mounted is a claim of a pod, and where the pod names it.
type mounted struct {
	name string
	at   *field.Path
}

// mountedClaims are a pod's claims but for workspaces, which are judged by their
// names (see volumes).
func mountedClaims(pod *corev1.Pod) []mounted {
	var out []mounted
	for n := range pod.Spec.Volumes {
		source := pod.Spec.Volumes[n].PersistentVolumeClaim
		if source == nil || foreign(source.ClaimName, "") {
			continue
		}
		out = append(out, mounted{source.ClaimName, field.NewPath("spec", "volumes").Index(n).Child("persistentVolumeClaim", "claimName")})
	}
	return out
}

// few is how many claims are asked for by name: no pod of kora's has more. One with
// hundreds would cost as many requests, and has the namespace's read once.
const few = 8

// claims reads those that are there, and keeps of each what it is made of: a claim may
// be as large as the API server takes. The operator may list claims, and get none.
func (i *Injector) claims(ctx context.Context, namespace string, of []mounted) (map[string]*corev1.PersistentVolumeClaim, error) {
	out, names := map[string]*corev1.PersistentVolumeClaim{}, map[string]bool{}
	for _, m := range of {
		names[m.name] = true
	}
	if len(names) > few {
		return out, i.read(ctx, namespace, names, out)
	}
	for name := range names {
		if err := i.read(ctx, namespace, names, out, client.MatchingFields{"metadata.name": name}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (i *Injector) read(ctx context.Context, namespace string, names map[string]bool, out map[string]*corev1.PersistentVolumeClaim, which ...client.ListOption) error {
	for o, err := range pages.Of(ctx, i.direct, &corev1.PersistentVolumeClaimList{}, append(which, client.InNamespace(namespace))...) {
		if err != nil {
			return fmt.Errorf("read the claims of %s: %w", namespace, err)
		}
		if claim := o.(*corev1.PersistentVolumeClaim); names[claim.Name] {
			out[claim.Name] = &corev1.PersistentVolumeClaim{
				ObjectMeta: metav1.ObjectMeta{Name: claim.Name, Namespace: claim.Namespace},
				Spec:       corev1.PersistentVolumeClaimSpec{DataSource: claim.Spec.DataSource, DataSourceRef: claim.Spec.DataSourceRef}}
		}
	}
	return nil
}

// copied judges what a claim was made of: a workspace of the agent's own may be copied. It
// says so without a name: whoever asks may not be one who reads claims (R54).
func copied(at *field.Path, claim *corev1.PersistentVolumeClaim, slug string) field.ErrorList {
	kind, name, namespace := "", "", ""
	if d := claim.Spec.DataSource; d != nil {
		kind, name = d.Kind, d.Name
	}
	if d := claim.Spec.DataSourceRef; d != nil {
		kind, name = d.Kind, d.Name
		if d.Namespace != nil {
			namespace = *d.Namespace
		}
	}
	switch {
	case namespace != "" && namespace != claim.Namespace:
		return field.ErrorList{bad(at, claim.Name, "is made of something in another namespace (the claim's spec.dataSourceRef says of what), and an agent's pod reads of its own tenant alone; remove the volume")}
	case kind == "PersistentVolumeClaim" && foreign(name, slug):
		return field.ErrorList{bad(at, claim.Name, "is a copy of the workspace of another agent type (the claim's spec.dataSource says of which), which only its own pods read; remove the volume")}
	}
	return nil
}

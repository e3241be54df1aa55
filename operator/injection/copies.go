package injection

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/runkora/kora/operator/agents"
)

// copies refuses claims of an agent's pod that somebody made of another agent's
// workspace, or of what another namespace has (R14): what the pod itself says of a claim
// is its name. The claims are asked of the API server, which never changes what one is
// made of. One that is not there yet could be made of anything afterwards; a dry run,
// which nothing comes of, goes without.
func (i *Injector) copies(ctx context.Context, r admission.Request, pod *corev1.Pod) (field.ErrorList, error) {
	slug := pod.Labels[agents.LabelAgentSlug]
	var faults field.ErrorList
	for n := range pod.Spec.Volumes {
		source := pod.Spec.Volumes[n].PersistentVolumeClaim
		if source == nil || foreign(source.ClaimName, "") { // a workspace, by its name, is judged by volumes
			continue
		}
		at := field.NewPath("spec", "volumes").Index(n).Child("persistentVolumeClaim", "claimName")
		claim, err := i.claim(ctx, r.Namespace, source.ClaimName)
		switch {
		case err != nil:
			return nil, err
		case claim != nil:
			faults = append(faults, copied(at, claim, slug)...)
		case r.DryRun == nil || !*r.DryRun:
			faults = append(faults, bad(at, source.ClaimName, "is not there, and nobody can tell what will be in it; create the claim before the pod"))
		}
	}
	return faults, nil
}

// claim reads one, nil where there is none. The operator may list claims, and get none.
func (i *Injector) claim(ctx context.Context, namespace, name string) (*corev1.PersistentVolumeClaim, error) {
	list := &corev1.PersistentVolumeClaimList{}
	if err := i.direct.List(ctx, list, client.InNamespace(namespace), client.MatchingFields{"metadata.name": name}); err != nil {
		return nil, fmt.Errorf("read the claim %s of %s: %w", name, namespace, err)
	}
	for n := range list.Items {
		if list.Items[n].Name == name {
			return &list.Items[n], nil
		}
	}
	return nil, nil
}

// copied judges what a claim was made of: a workspace of the agent's own may be copied.
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
		return field.ErrorList{bad(at, claim.Name, "is made of the %s %s of the namespace %s, and an agent's pod reads of its own tenant alone; remove the volume", kind, name, namespace)}
	case kind == "PersistentVolumeClaim" && foreign(name, slug):
		return field.ErrorList{bad(at, claim.Name, "is a copy of %s, the workspace of another agent type, which only its own pods read; remove the volume", name)}
	}
	return nil
}

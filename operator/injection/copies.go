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

// claims reads those that are there in one request, however many a pod names: the
// one, or all of the namespace. The operator may list claims, and get none.
func (i *Injector) claims(ctx context.Context, namespace string, of []mounted) (map[string]*corev1.PersistentVolumeClaim, error) {
	names := map[string]bool{}
	for _, m := range of {
		names[m.name] = true
	}
	which := []client.ListOption{client.InNamespace(namespace)}
	if len(names) == 1 {
		which = append(which, client.MatchingFields{"metadata.name": of[0].name})
	}
	list := &corev1.PersistentVolumeClaimList{}
	if err := i.direct.List(ctx, list, which...); err != nil {
		return nil, fmt.Errorf("read the claims of %s: %w", namespace, err)
	}
	out := map[string]*corev1.PersistentVolumeClaim{}
	for n := range list.Items {
		if claim := &list.Items[n]; names[claim.Name] {
			out[claim.Name] = claim
		}
	}
	return out, nil
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

package images

import (
	"context"
	"slices"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/tenants/proof"
	appsv1 "k8s.io/api/apps/v1"
)

// believe gives the images of a list that the operator judged, each with the status that
// it gave them, whatever somebody else wrote since. Those that are to be warm and are not
// judged as they stand are open: nothing is pulled for them, and what runs stays.
func (r *Reconciler) believe(ctx context.Context, list []v1alpha1.SandboxImage) (judged []v1alpha1.SandboxImage, open []string, err error) {
	key, err := r.marks.get(ctx, r.client, r.settings.SystemNamespace)
	if err != nil {
		return nil, nil, err
	}
	for _, image := range list { // copies: the list is the cache's own
		if status, is := r.schedule.judged(&image, proof.WasRead(key, &image)); is {
			image.Status = status
			judged = append(judged, image)
		} else if image.Spec.Warm {
			open = append(open, warmName(&image))
		}
	}
	return judged, open, nil
}

// apart gives the operator's DaemonSets that stay, since the image of their name is open,
// and all others.
func apart(running []appsv1.DaemonSet, open []string) (stay, rest []appsv1.DaemonSet) {
	for _, is := range running {
		if ours(&is) && slices.Contains(open, is.Name) {
			stay = append(stay, is)
		} else {
			rest = append(rest, is)
		}
	}
	return stay, rest
}

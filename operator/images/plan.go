package images

import (
	"slices"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/status"
)

// maxWarm is how many different images of a tenant's own are kept pulled: each takes a
// pod on every node that runs sandboxes, of which a node has room for 110 in all.
const maxWarm = 10

// carried is what one DaemonSet keeps pulled: the images of the same digest, repository
// and pull Secrets, the oldest first. That one gives the DaemonSet its name.
type carried struct {
	images   []*v1alpha1.SandboxImage
	platform bool
}

// plan is what a namespace's warm images come to.
type plan struct {
	kept     []carried
	verdicts map[string]status.Verdict // of each warm and valid image, by name
}

// plan takes the oldest, and those of the platform whatever else there is. What stays for
// images that are not judged yet has its place as well: nobody has more by changing them.
func (r *Reconciler) plan(list []v1alpha1.SandboxImage, stay int) plan {
	p, own := plan{verdicts: map[string]status.Verdict{}}, stay
	for _, each := range r.carried(list) {
		if !each.platform {
			own++
		}
		if !each.platform && own > maxWarm {
			p.refuse(each, status.Bad(v1alpha1.ReasonLimitReached, "spec.warm: %d different images of a tenant are kept pulled, the oldest that are warm and valid, and this one is not among them: it can be used, and a node pulls it when a sandbox starts; set spec.warm to false on one that needs it less", maxWarm))
			continue
		}
		p.kept = append(p.kept, each)
		p.accept(each)
	}
	return p
}

func (p plan) accept(each carried) {
	first := each.images[0]
	p.verdicts[first.Name] = status.Good("the DaemonSet %s keeps the image pulled on every node that runs sandboxes", warmName(first))
	for _, image := range each.images[1:] {
		p.verdicts[image.Name] = status.Good("the DaemonSet %s of the SandboxImage %s keeps the same digest pulled on every node that runs sandboxes, for this one as well", warmName(first), first.Name)
	}
}

func (p plan) refuse(each carried, v status.Verdict) {
	for _, image := range each.images {
		p.verdicts[image.Name] = v
	}
}

// has reports whether a DaemonSet is planned.
func (p plan) has(name string) bool {
	return slices.ContainsFunc(p.kept, func(each carried) bool { return warmName(each.images[0]) == name })
}

// carried sorts the images that are to be kept pulled, the oldest first.
func (r *Reconciler) carried(list []v1alpha1.SandboxImage) []carried {
	var warm []*v1alpha1.SandboxImage
	for i := range list {
		if image := &list[i]; image.Spec.Warm && isValid(image) && image.DeletionTimestamp.IsZero() {
			warm = append(warm, image)
		}
	}
	slices.SortFunc(warm, rules.ByAge[*v1alpha1.SandboxImage])
	var all []carried
	at := map[string]int{}
	for _, image := range warm {
		key := strings.Join(append(r.pullSecrets(image), pinned(image)), " ")
		n, known := at[key]
		if !known {
			n = len(all)
			at[key], all = n, append(all, carried{})
		}
		all[n].images = append(all[n].images, image)
		all[n].platform = all[n].platform || r.isPlatforms(image)
	}
	return all
}

package injection

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/operator/rules"
)

// places are where a pod says as whom it or a container runs, and what each place
// takes besides 100.
var places = map[string]struct {
	set    func(*corev1.Pod, int64)
	group  bool // or a user
	others bool // ids of the team's own are taken
	absent func(*corev1.Pod)
}{
	"spec.securityContext.runAsUser":  {func(p *corev1.Pod, id int64) { p.Spec.SecurityContext.RunAsUser = &id }, false, false, func(p *corev1.Pod) { p.Spec.SecurityContext.RunAsUser = nil }},
	"spec.securityContext.runAsGroup": {func(p *corev1.Pod, id int64) { p.Spec.SecurityContext.RunAsGroup = &id }, true, false, func(p *corev1.Pod) { p.Spec.SecurityContext.RunAsGroup = nil }},
	"spec.securityContext.fsGroup":    {func(p *corev1.Pod, id int64) { p.Spec.SecurityContext.FSGroup = &id }, true, true, nil},
	"spec.securityContext.supplementalGroups[1]": {func(p *corev1.Pod, id int64) {
		p.Spec.SecurityContext.SupplementalGroups = []int64{5, id, 6}
	}, true, true, nil},
	"spec.containers[0].securityContext.runAsUser":  {func(p *corev1.Pod, id int64) { p.Spec.Containers[0].SecurityContext.RunAsUser = &id }, false, false, nil},
	"spec.containers[0].securityContext.runAsGroup": {func(p *corev1.Pod, id int64) { p.Spec.Containers[0].SecurityContext.RunAsGroup = &id }, true, false, nil},
	"spec.containers[1].securityContext.runAsUser":  {second(func(s *corev1.SecurityContext, id int64) { s.RunAsUser = &id }), false, true, nil},
	"spec.containers[1].securityContext.runAsGroup": {second(func(s *corev1.SecurityContext, id int64) { s.RunAsGroup = &id }), true, true, nil},
}

func second(set func(*corev1.SecurityContext, int64)) func(*corev1.Pod, int64) {
	return func(p *corev1.Pod, id int64) {
		add("mine")(p)
		set(p.Spec.Containers[1].SecurityContext, id)
	}
}

// R6, R54: what no container may run as, the pod may not either, by whichever field it
// comes, in a new pod and by a change: each is told by its field, with what to do.
func TestNoContainerHasRootsGroupOrTheMeshsIDs(t *testing.T) {
	for at, place := range places {
		for kind, of := range map[string]func() *corev1.Pod{"sandbox": sandbox, "session-manager": sessionManager} {
			for _, id := range []int64{0, 5, koraID, meshID} {
				pod := of()
				place.set(pod, id)
				_, faults := injector().Inject(pod, tenant)
				said, want := rules.Message(faults), fmt.Sprintf("%s %q ", at, fmt.Sprint(id))
				switch {
				case id == koraID || id == 5 && place.others:
					want = ""
				case id == meshID:
					want += "is the mesh's proxy"
				case id == 0 && place.group && at != "spec.securityContext.runAsGroup":
					want += "is root's group"
				case id == 0 && !strings.HasPrefix(at, "spec.securityContext"):
					want = at + " is not Pod Security restricted" // of root as a container's user
				default:
					want += "must be 100"
				}
				if (want == "") != (said == "") || !strings.Contains(said, want) {
					t.Errorf("%s, %s %d: %q, want %q", kind, at, id, said, want)
				}
				if faults := injector().Change(of(), pod, tenant); (want == "") != (len(faults) == 0) {
					t.Errorf("%s, %s becomes %d: %v", kind, at, id, faults)
				}
			}
		}
	}
}

// R6: where the pod does not say as whom it runs, the images would.
func TestThePodSaysAsWhomItRuns(t *testing.T) {
	for at, place := range places {
		if place.absent == nil {
			continue
		}
		pod := sandbox()
		place.absent(pod)
		if _, faults := injector().Inject(pod, tenant); !strings.Contains(rules.Message(faults), at+" must be 100") {
			t.Errorf("%s: %v", at, faults)
		}
	}
	pod := sandbox()
	pod.Spec.SecurityContext = nil
	_, faults := injector().Inject(pod, tenant)
	for _, part := range []string{"runAsUser must be 100", "runAsGroup must be 100"} {
		if !strings.Contains(rules.Message(faults), "spec.securityContext."+part) {
			t.Errorf("%v lacks %s", faults, part)
		}
	}
}

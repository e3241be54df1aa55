package injection

import (
	"testing"

	"github.com/runkora/kora/operator/patches/guard"
)

// R14, R54: the guard of patches and the webhook judge a pod's groups alike: what
// one takes the other does.
func TestGroupsAreJudgedAsPatchesAre(t *testing.T) {
	for _, id := range []int64{0, 1, koraID, 999, 1000, 1336, meshID, 1338, 65534, 1 << 30} {
		pod := sandbox()
		pod.Spec.SecurityContext.FSGroup = &id
		_, faults := injector().Inject(pod, tenant)
		if found := guard.Check(sandbox(), pod); (len(found) == 0) != (len(faults) == 0) {
			t.Errorf("fsGroup %d: the guard says %v, and the webhook %v", id, found, faults)
		}
	}
	pod := sandbox()
	pod.Spec.SecurityContext.FSGroup = nil
	if _, faults := injector().Inject(pod, tenant); len(faults)+len(guard.Check(sandbox(), pod)) > 0 {
		t.Errorf("without fsGroup: %v", faults)
	}
}

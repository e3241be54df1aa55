package images_test

import (
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images"
	"github.com/runkora/kora/operator/operatortest"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R50, R52: a status that somebody else wrote is put right long before the sync
// period, whatever they wrote, and when the cache was slow to show it too. Then
// nothing is written any more.
func TestAForeignStatusIsPutRight(t *testing.T) {
	p := begin(t, "meddled", nil, nil)
	p.says(t, images.Base, v1alpha1.ReasonSucceeded) // so that the next one has nothing to write
	if err := p.run.Stop(); err != nil {
		t.Fatal(err)
	}
	lag := operatortest.NewLag("sandboximages")
	p.access = lag.Wrap(p.Access())
	p.start(t)
	right := p.says(t, images.Base, v1alpha1.ReasonSucceeded)
	for name, wrong := range map[string]func(*v1alpha1.SandboxImageStatus){
		"not valid": func(s *v1alpha1.SandboxImageStatus) {
			s.Conditions[0].Status, s.Conditions[0].Reason = "False", "Failed"
		},
		"another digest": func(s *v1alpha1.SandboxImageStatus) { s.Digest = "sha256:" + fmt.Sprintf("%064d", 7) },
		"no platform":    func(s *v1alpha1.SandboxImageStatus) { s.Platforms = nil },
		"other words":    func(s *v1alpha1.SandboxImageStatus) { s.Conditions[0].Message = "all is well" },
	} {
		t.Run(name, func(t *testing.T) {
			lag.Hold()
			meddled := right.DeepCopy()
			wrong(&meddled.Status)
			if err := p.Admin.Status().Patch(t.Context(), meddled, client.MergeFrom(right)); err != nil {
				t.Fatal(err)
			}
			lag.Release()
			operatortest.Eventually(t, func() error {
				now := &v1alpha1.SandboxImage{}
				if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(right), now); err != nil {
					return err
				}
				a, b := right.Status.DeepCopy(), now.Status.DeepCopy()
				for _, s := range []*v1alpha1.SandboxImageStatus{a, b} { // the moments may differ
					s.CheckedAt, s.Conditions[0].LastTransitionTime = nil, right.Status.Conditions[0].LastTransitionTime
				}
				if !equality.Semantic.DeepEqual(a, b) {
					return fmt.Errorf("it stands: %+v", now.Status)
				}
				return nil
			})
		})
	}
	p.Quiet(t)
}

package images_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images"
	"github.com/runkora/kora/operator/images/registrytest"
	"github.com/runkora/kora/operator/operatortest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R53: kora-base that somebody's finalizer holds in its deletion, and that they point
// elsewhere, is pointed back and read again; it keeps the finalizer, and when that goes it is
// made anew.
func TestABundledImageHeldInDeletionIsRestored(t *testing.T) {
	p := begin(t, "baseheld", nil, nil)
	base := p.says(t, images.Base, v1alpha1.ReasonSucceeded)
	patch(t, p, base.DeepCopy(), `{"metadata":{"finalizers":["example.com/held"]}}`)
	if err := p.Admin.Delete(t.Context(), base.DeepCopy()); err != nil {
		t.Fatal(err)
	}
	patch(t, p, base.DeepCopy(), `{"metadata":{"labels":null},"spec":{"image":"`+at+`/team/other:1"}}`)
	now := &v1alpha1.SandboxImage{}
	restored := func() error {
		if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(base), now); err != nil {
			return err
		}
		if now.Spec != base.Spec || now.Labels[v1alpha1.LabelManagedBy] == "" || now.Status.ObservedGeneration != now.Generation || now.Status.Digest != base.Status.Digest {
			return fmt.Errorf("%+v", now)
		}
		return nil
	}
	operatortest.Eventually(t, restored)
	if now.UID != base.UID || len(now.Finalizers) != 1 {
		t.Errorf("it is another one, or without its finalizer: %+v", now.ObjectMeta)
	}
	p.Quiet(t)
	patch(t, p, base.DeepCopy(), `{"metadata":{"finalizers":null}}`)
	operatortest.Eventually(t, func() error {
		if err := restored(); err != nil {
			return err
		}
		if now.UID == base.UID {
			return errors.New("it is the one that was deleted still")
		}
		return nil
	})
}

// R52: a tenant's own that is held so is read again, too.
func TestAnImageHeldInDeletionIsRead(t *testing.T) {
	p := begin(t, "ownheld", nil, nil)
	p.server.Push(t, "team/a:1", registrytest.Sandbox(t, "linux/amd64", "100"))
	p.image(t, "own", at+"/team/a:1", nil)
	own := p.says(t, "own", v1alpha1.ReasonSucceeded)
	patch(t, p, own.DeepCopy(), `{"metadata":{"finalizers":["example.com/held"]}}`)
	if err := p.Admin.Delete(t.Context(), own.DeepCopy()); err != nil {
		t.Fatal(err)
	}
	patch(t, p, own.DeepCopy(), `{"spec":{"image":"`+at+`/team/none:1"}}`)
	if is := p.says(t, "own", v1alpha1.ReasonImageNotFound); is.Status.Digest != "" {
		t.Errorf("%+v", is.Status)
	}
	patch(t, p, own.DeepCopy(), `{"metadata":{"finalizers":null}}`)
}

package images_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images"
	"github.com/runkora/kora/operator/images/registrytest"
	"github.com/runkora/kora/operator/operatortest"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R53: kora-base and the enabled images are in every tenant's namespace and
// restored; a tenant's own under a bundled name is left alone and the conflict
// told; turning one off deletes only what the operator made.
func TestBundledImages(t *testing.T) {
	on := func(name string) map[string]any {
		return map[string]any{"enabled": true, "warm": false, "image": at + "/kora/" + name + ":1"}
	}
	p := begin(t, "bundled", nil, map[string]any{"bundled": map[string]any{"go": on("go"), "python": on("python"), "node": map[string]any{"enabled": false}}})
	for _, name := range []string{"go", "python", "mine"} {
		p.server.Push(t, "kora/"+name+":1", registrytest.Sandbox(t, "linux/amd64", "100"))
	}
	base := p.says(t, images.Base, v1alpha1.ReasonSucceeded)
	if base.Spec.Image != at+"/kora/base:1" || base.Spec.Warm || base.Labels[v1alpha1.LabelBundled] != images.Base {
		t.Errorf("%+v", base)
	}
	goImage := p.says(t, "kora-go", v1alpha1.ReasonSucceeded)

	// Restored: changed, and deleted.
	patch(t, p, base, `{"spec":{"image":"`+at+`/evil/x:1","warm":true,"pullSecretRef":{"name":"x"}}}`)
	p.restored(t, images.Base)
	if err := p.Admin.Delete(t.Context(), base); err != nil {
		t.Fatal(err)
	}
	p.restored(t, images.Base)
	patch(t, p, base, `{"metadata":{"labels":null},"spec":{"image":"`+at+`/evil/x:1"}}`) // the platform's in every namespace
	p.restored(t, images.Base)

	// A tenant's own under a bundled name.
	patch(t, p, goImage, `{"metadata":{"labels":null},"spec":{"image":"`+at+`/kora/mine:1"}}`)
	p.told(t, "kora-go", v1alpha1.ReasonConflict, "is the name of a bundled image")
	operatortest.Eventually(t, func() error {
		tenant := &v1alpha1.KoraTenant{}
		if err := p.Admin.Get(t.Context(), client.ObjectKey{Name: p.tenant}, tenant); err != nil {
			return err
		}
		for _, item := range tenant.Status.Inventory {
			if item.Name == "kora-go" && item.State == v1alpha1.InventoryConflict {
				if c := meta.FindStatusCondition(tenant.Status.Conditions, v1alpha1.ConditionImagesReady); c != nil && c.Reason == v1alpha1.ReasonSucceeded && strings.Contains(c.Message, "but for kora-go:") {
					return nil
				}
			}
		}
		return fmt.Errorf("%+v", tenant.Status)
	})
	if !strings.Contains(p.log.String(), "has the name of a bundled one") {
		t.Error("the conflict is not logged")
	}

	// Turned off: its own goes, the tenant's stays.
	if err := p.run.Stop(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go", "python"} {
		b := p.Settings.SandboxImages.Bundled[name]
		b.Enabled = false
		p.Settings.SandboxImages.Bundled[name] = b
	}
	p.start(t)
	operatortest.Eventually(t, func() error {
		return absent(p.Admin.Get(t.Context(), client.ObjectKey{Namespace: p.namespace, Name: "kora-python"}, &v1alpha1.SandboxImage{}))
	})
	if mine := p.says(t, "kora-go", v1alpha1.ReasonSucceeded); mine.Spec.Image != at+"/kora/mine:1" {
		t.Errorf("the tenant's own image is changed: %+v", mine.Spec)
	}
	p.Quiet(t)
}

// R50, R53: a tenant whose deletion waits to be confirmed has its images put right as
// before.
func TestBundledImagesOfATenantWhoseDeletionWaits(t *testing.T) {
	p := begin(t, "waits", nil, nil)
	p.image(t, "mine", at+"/kora/base:1", nil) // which holds the deletion
	tenant := &v1alpha1.KoraTenant{}
	tenant.Name = p.tenant
	patch(t, p, tenant, `{"spec":{"deletionPolicy":"Delete"}}`)
	if err := p.Admin.Delete(t.Context(), tenant); err != nil {
		t.Fatal(err)
	}
	operatortest.Eventually(t, func() error {
		if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(tenant), tenant); err != nil {
			return err
		}
		if c := meta.FindStatusCondition(tenant.Status.Conditions, v1alpha1.ConditionReady); c == nil || c.Reason != v1alpha1.ReasonDeleting {
			return fmt.Errorf("%+v", tenant.Status.Conditions)
		}
		return nil
	})
	base := p.says(t, images.Base, v1alpha1.ReasonSucceeded)
	patch(t, p, base, `{"spec":{"image":"`+at+`/evil/x:1"}}`)
	p.restored(t, images.Base)
	if err := p.Admin.Delete(t.Context(), base); err != nil {
		t.Fatal(err)
	}
	p.restored(t, images.Base)
}

// restored waits until an image is the operator's again.
func (p *place) restored(t *testing.T, name string) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		o := &v1alpha1.SandboxImage{}
		if err := p.Admin.Get(t.Context(), client.ObjectKey{Namespace: p.namespace, Name: name}, o); err != nil {
			return err
		}
		if o.Spec.Image != at+"/kora/base:1" || o.Spec.Warm || o.Spec.PullSecretRef != nil || o.Labels[v1alpha1.LabelBundled] != name {
			return fmt.Errorf("%+v %v", o.Spec, o.Labels)
		}
		return nil
	})
}

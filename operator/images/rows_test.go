package images_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images/registrytest"
	"github.com/runkora/kora/operator/operatortest"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R50, R52, R53: a bundled image that is not valid is a row of the tenant's inventory
// with the image's own reason, holds up ImagesReady and no other part, and is right
// again when the image is.
func TestARowOfASandboxImage(t *testing.T) {
	p := begin(t, "rows", nil, map[string]any{"bundled": map[string]any{
		"go": map[string]any{"enabled": true, "image": registrytest.Host + "/kora/go:1"}, "python": map[string]any{"enabled": false}, "node": map[string]any{"enabled": false}}})
	p.rowOf(t, "kora-go", v1alpha1.InventoryFailed, v1alpha1.ReasonImageNotFound, "False")
	p.server.Push(t, "kora/go:root", registrytest.Sandbox(t, "linux/amd64", "0"))
	p.server.Push(t, "kora/go:good", registrytest.Sandbox(t, "linux/amd64", "100"))
	p.ships(t, "go", "/kora/go:root")
	p.rowOf(t, "kora-go", v1alpha1.InventoryFailed, v1alpha1.ReasonWrongUser, "False")
	p.ships(t, "go", "/kora/go:good")
	p.rowOf(t, "kora-go", v1alpha1.InventoryReady, "", "True")

	if err := p.Admin.Delete(t.Context(), p.says(t, "kora-go", v1alpha1.ReasonSucceeded)); err != nil {
		t.Fatal(err)
	}
	p.says(t, "kora-go", v1alpha1.ReasonSucceeded) // it comes back
	p.rowOf(t, "kora-go", v1alpha1.InventoryReady, "", "True")
}

// ships starts an operator whose bundled image is another one.
func (p *place) ships(t *testing.T, name, image string) {
	t.Helper()
	if err := p.run.Stop(); err != nil {
		t.Fatal(err)
	}
	b := p.Settings.SandboxImages.Bundled[name]
	b.Image = registrytest.Host + image
	p.Settings.SandboxImages.Bundled[name] = b
	p.start(t)
}

// rowOf waits for the row of an image, and for what ImagesReady says with it.
func (p *place) rowOf(t *testing.T, name string, state v1alpha1.InventoryState, reason, ready string) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		o := &v1alpha1.KoraTenant{}
		if err := p.Admin.Get(t.Context(), client.ObjectKey{Name: p.tenant}, o); err != nil {
			return err
		}
		c := meta.FindStatusCondition(o.Status.Conditions, v1alpha1.ConditionImagesReady)
		for _, item := range o.Status.Inventory {
			begins := reason == "" && item.Reason == "" || reason != "" && strings.HasPrefix(item.Reason, reason+": ")
			if item.Kind == "SandboxImage" && item.Name == name && item.State == state && begins && c != nil && string(c.Status) == ready &&
				meta.IsStatusConditionTrue(o.Status.Conditions, v1alpha1.ConditionPolicyReady) {
				return nil
			}
		}
		return fmt.Errorf("%+v", o.Status)
	})
}

package images_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images"
	"github.com/runkora/kora/operator/images/registrytest"
	"github.com/runkora/kora/operator/manager"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/tenants"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

var _ tenants.Check = (*images.Bundled)(nil)

// planted is the password of pull Secrets.
const planted = operatortest.Planted

// place is a test's own operator, with one tenant and a registry.
type place struct {
	*operatortest.World
	server            *registrytest.Server
	tenant, namespace string
	run               *operatortest.Run
	log               *operatortest.Log
	access            *rest.Config // nil: the World's
	hurry             func(*images.Reconciler)
}

// begin starts the operator's images, and the tenants that give them a home. The
// registry holds kora-base as kora/base:1. Values are those of sandboxImages.
func begin(t *testing.T, tenant string, fault registrytest.Fault, values map[string]any) *place {
	t.Helper()
	server := registrytest.Serve(t, fault)
	server.Push(t, "kora/base:1", registrytest.Sandbox(t, "linux/amd64", "100"))
	off := map[string]any{"enabled": false}
	sandboxImages := map[string]any{
		"registryMirrors": map[string]any{registrytest.Host: server.URL},
		"bundled":         map[string]any{"go": off, "python": off, "node": off},
	}
	for key, value := range values {
		sandboxImages[key] = value
	}
	p := &place{server: server, tenant: tenant, namespace: v1alpha1.TenantNamespace(tenant), log: &operatortest.Log{}}
	p.World = operatortest.New(t, map[string]any{"agents": map[string]any{
		"config": map[string]any{"sandboxImage": registrytest.Host + "/kora/base:1"}, "sandboxImages": sandboxImages,
		"workloads": map[string]any{"common": map[string]any{
			"nodeSelector": map[string]any{testcluster.TierLabel: "kora-sandbox"},
			"tolerations":  []any{map[string]any{"key": testcluster.TierLabel, "operator": "Equal", "value": "kora-sandbox", "effect": "NoSchedule"}}}}}})
	p.start(t)
	p.home(t)
	return p
}

// start runs the parts; settings may have been changed before.
func (p *place) start(t *testing.T) {
	t.Helper()
	bundled, kept := images.NewBundled(p.Settings), images.New(p.Settings, clock.RealClock{})
	if p.hurry != nil {
		p.hurry(kept)
	}
	p.run = p.StartWith(t, manager.Options{Access: p.access, Log: p.log.Logger(),
		Parts: []manager.Part{tenants.New(p.Settings, clock.RealClock{}, bundled), kept, bundled}})
}

// home makes the tenant, and waits until the operator may work in its namespace.
func (p *place) home(t *testing.T) {
	t.Helper()
	p.Home(t, p.tenant, func() error { return p.run.Stop() })
	p.says(t, images.Base, v1alpha1.ReasonSucceeded)
	t.Cleanup(func() { p.KeepsSecrets(t, p.log, &v1alpha1.SandboxImageList{}) })
}

// image makes a SandboxImage; change may alter it first.
func (p *place) image(t *testing.T, name, reference string, change func(*v1alpha1.SandboxImage)) *v1alpha1.SandboxImage {
	t.Helper()
	o := &v1alpha1.SandboxImage{ObjectMeta: metav1.ObjectMeta{Namespace: p.namespace, Name: name}, Spec: v1alpha1.SandboxImageSpec{Image: reference}}
	if change != nil {
		change(o)
	}
	if err := p.Admin.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return o
}

// says waits until the image's condition has a reason, and a message with the texts.
func (p *place) says(t *testing.T, name, reason string, texts ...string) *v1alpha1.SandboxImage {
	t.Helper()
	o := &v1alpha1.SandboxImage{ObjectMeta: metav1.ObjectMeta{Namespace: p.namespace, Name: name}}
	return operatortest.Says(t, p.World, o, reason, texts...)
}

// told waits for an event about an object.
func (p *place) told(t *testing.T, name, reason, text string) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		list := &eventsv1.EventList{}
		if err := p.Admin.List(t.Context(), list, client.InNamespace(p.namespace)); err != nil {
			return err
		}
		for _, e := range list.Items {
			if e.Regarding.Name == name && e.Reason == reason && strings.Contains(e.Note, text) {
				return nil
			}
		}
		return fmt.Errorf("no event %s about %s among %d", reason, name, len(list.Items))
	})
}

// pullSecret makes one; its password is the planted one.
func (p *place) pullSecret(t *testing.T, name string, kind corev1.SecretType, data map[string]string) {
	t.Helper()
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: p.namespace, Name: name}, Type: kind, StringData: data}
	if err := p.Admin.Create(t.Context(), s); err != nil {
		t.Fatal(err)
	}
}

package images_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"
	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images"
	"github.com/runkora/kora/operator/images/registrytest"
	"github.com/runkora/kora/operator/manager"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/tenants"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

var _ tenants.Check = (*images.Bundled)(nil)

// planted is the password of pull Secrets: it may be nowhere but in them.
const planted = "PLANTED-s3cret"

// place is a test's own operator, with one tenant and a registry.
type place struct {
	*operatortest.World
	server            *registrytest.Server
	tenant, namespace string
	run               *operatortest.Run
	log               *lines
	access            *rest.Config // nil: the World's
}

// lines are what the operator logs.
type lines struct {
	mu  sync.Mutex
	all []string
}

func (l *lines) add(prefix, args string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, prefix+" "+args)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.all, "\n")
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
	p := &place{server: server, tenant: tenant, namespace: v1alpha1.TenantNamespace(tenant), log: &lines{}}
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
	bundled := images.NewBundled(p.Settings)
	p.run = p.StartWith(t, manager.Options{Access: p.access, Log: funcr.New(p.log.add, funcr.Options{Verbosity: 2}),
		Parts: []manager.Part{tenants.New(p.Settings, clock.RealClock{}, bundled), images.New(p.Settings, clock.RealClock{}), bundled}})
}

// home makes the tenant, and waits until the operator may work in its namespace.
func (p *place) home(t *testing.T) {
	t.Helper()
	o := &v1alpha1.KoraTenant{ObjectMeta: metav1.ObjectMeta{Name: p.tenant}, Spec: v1alpha1.KoraTenantSpec{
		OIDC: v1alpha1.TenantOIDC{Issuer: "https://login.example.com", ClientID: "kora"}}}
	if err := p.Admin.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx := context.Background()
		_ = p.run.Stop() // the rights go before the last object of the namespace does
		_ = p.Admin.Delete(ctx, o)
		_ = p.Admin.Patch(ctx, o, client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`)))
		home := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: p.namespace}}
		_ = p.Admin.Delete(ctx, home)
		for range 1200 { // the next test's operator sees nothing of this one's
			if apierrors.IsNotFound(p.Admin.Get(ctx, client.ObjectKeyFromObject(home), home)) {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Error("the namespace is still there")
	})
	p.says(t, images.Base, v1alpha1.ReasonSucceeded)
	t.Cleanup(func() { p.keepsSecrets(t) })
}

// keepsSecrets: the planted password is in no log, event, status or ConfigMap.
func (p *place) keepsSecrets(t *testing.T) {
	ctx := context.Background()
	where := map[string]string{"the log": p.log.String()}
	for name, list := range map[string]client.ObjectList{"an event": &eventsv1.EventList{}, "a ConfigMap": &corev1.ConfigMapList{},
		"a SandboxImage": &v1alpha1.SandboxImageList{}, "a KoraTenant": &v1alpha1.KoraTenantList{}} {
		if err := p.Admin.List(ctx, list); err != nil {
			t.Error(err)
		}
		text, err := json.Marshal(list)
		if err != nil {
			t.Error(err)
		}
		where[name] = string(text)
	}
	for name, text := range where {
		if strings.Contains(text, planted) {
			t.Errorf("%s holds a secret's value", name)
		}
	}
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
	got := &v1alpha1.SandboxImage{}
	operatortest.Eventually(t, func() error {
		if err := p.Admin.Get(t.Context(), client.ObjectKey{Namespace: p.namespace, Name: name}, got); err != nil {
			return err
		}
		c := meta.FindStatusCondition(got.Status.Conditions, v1alpha1.ConditionValid)
		if c == nil || c.ObservedGeneration != got.Generation || c.Reason != reason {
			return fmt.Errorf("%s is %+v", name, c)
		}
		for _, text := range texts {
			if !strings.Contains(c.Message, text) {
				return fmt.Errorf("%s lacks %q: %s", name, text, c.Message)
			}
		}
		return nil
	})
	return got
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

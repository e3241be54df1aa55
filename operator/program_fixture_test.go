package main

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/certificates/webhooktest"
	"github.com/runkora/kora/operator/images/registrytest"
	"github.com/runkora/kora/operator/operatortest"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// program is kora-operator in a cluster as the chart leaves it.
type program struct {
	*webhooktest.Hooks
	*testing.T
	config, kubeconfig string
	service            *service
	all                []*process
}

// install is what the chart and a registry with kora's base image give.
func install(t *testing.T) *program {
	p := &program{T: t}
	t.Cleanup(p.clear) // after the operators and their webhooks have gone
	p.Hooks = webhooktest.New(t)
	registry := registrytest.Serve(t, nil)
	registry.Push(t, "kora/base:1", registrytest.Sandbox(t, "linux/amd64", "100"))
	off := map[string]any{"enabled": false}
	p.config = configured(t, map[string]any{"agents": map[string]any{
		"config":        map[string]any{"sandboxImage": registrytest.Host + "/kora/base:1"},
		"sandboxImages": map[string]any{"registryMirrors": map[string]any{registrytest.Host: registry.URL}, "bundled": map[string]any{"go": off, "python": off, "node": off}}}})
	p.kubeconfig = impersonating(t, p.Cluster.Kubeconfig())
	p.service = behind(t, p.Address)
	return p
}

// clear takes what is left of tenants away, and a lease of whoever was killed, for the
// next test's operator.
func (p *program) clear() {
	if p.Hooks == nil {
		return
	}
	leases := p.Cluster.Client().CoordinationV1().Leases(operatortest.System)
	if err := leases.Delete(context.Background(), v1alpha1.Operator, metav1.DeleteOptions{}); client.IgnoreNotFound(err) != nil {
		p.Error(err)
	}
	for _, name := range []string{"good", "later"} {
		for _, o := range []client.Object{tenant(name), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: v1alpha1.TenantNamespace(name)}}} {
			if err := p.gone(o); err != nil {
				p.Error(err)
			}
		}
	}
}

// gone deletes an object until it is not there: for a moment the API server still
// asks webhooks that have gone.
func (p *program) gone(o client.Object) (err error) {
	ctx := context.Background()
	for range 600 {
		_ = p.Admin.Patch(ctx, o, client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`)))
		if err = p.Admin.Delete(ctx, o); apierrors.IsNotFound(err) {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("%s is left: %w", o.GetName(), err)
}

// start runs an operator, and has the Service lead to it when it is ready.
func (p *program) start() *process {
	p.Helper()
	o := start(p.T, p.config, p.kubeconfig, operatortest.Address(p.T, 9443, 8081, 8082))
	p.all = append(p.all, o)
	operatortest.Eventually(p.T, o.ready)
	p.service.to(o)
	return o
}

func tenant(name string) *v1alpha1.KoraTenant {
	return &v1alpha1.KoraTenant{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1alpha1.KoraTenantSpec{
		OIDC: v1alpha1.TenantOIDC{Issuer: "https://login.example.com", ClientID: "kora"}}}
}

func (p *program) create(o client.Object) {
	p.Helper()
	if err := p.Admin.Create(p.Context(), o); err != nil {
		p.Fatal(err)
	}
}

package registries_test

import (
	"context"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// R51: a host that a resolver of the platform's would find as a Service leaves the
// registry when that comes, in a namespace of anybody's or in kora's own, and comes back
// by itself when it goes. What happens to other Services there wakes nobody.
func TestHostsThatAreServicesOfTheCluster(t *testing.T) {
	p := begin(t, map[string]any{"operator": map[string]any{"syncPeriod": "1h"}}, "hosts")
	const zone = "zone" // a top-level domain
	home := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: zone}}
	p.create(t, home)
	t.Cleanup(func() { _ = p.Admin.Delete(context.Background(), home) })
	service := func(namespace, name string) *corev1.Service {
		s := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: corev1.ServiceSpec{ClusterIP: corev1.ClusterIPNone, Ports: []corev1.ServicePort{{Port: 443}}}}
		t.Cleanup(func() { _ = p.Admin.Delete(context.Background(), s) })
		return s
	}
	named := func(name string, hosts ...v1alpha1.Host) *v1alpha1.Connection {
		c := connection("hosts", name, "")
		c.Spec.Hosts = hosts
		return c
	}
	plain, pod, wild := named("plain", "api.example.com", "db.zone"), named("pod", "a.db.zone"), named("wild", "*.db.zone")
	ours, other := named("ours", "a.app"), named("other", "b.a.db.zone", "web.zone")
	server := mcpServer("hosts", "server", "https://db.zone/mcp", "")
	p.create(t, secret("hosts", "keys", "key"))
	model := modelProvider("hosts", "model", "https://db.zone", "keys")
	p.create(t, plain, pod, wild, ours, other, server, model)
	all := []v1alpha1.Object{plain, pod, wild, ours, other, server, model}
	good := func(objects ...v1alpha1.Object) {
		t.Helper()
		for _, o := range objects {
			says(t, p, o, v1alpha1.ReasonSucceeded)
		}
	}
	good(all...)

	db, app := service(zone, "db"), service(operatortest.System, "app")
	p.create(t, db)
	for _, o := range []v1alpha1.Object{plain, pod, wild, server, model} {
		says(t, p, o, v1alpha1.ReasonInvalid, "is found in the cluster before it is outside", `the Service "db" of the namespace "zone"`)
	}
	says(t, p, plain, v1alpha1.ReasonInvalid, `spec.hosts[1]: "db.zone"`)
	good(ours, other)
	p.holds(t, "connection", "hosts/other", "hosts/ours")
	p.holds(t, "mcpserver")
	p.holds(t, "modelprovider")
	p.create(t, app)
	says(t, p, ours, v1alpha1.ReasonInvalid, `the Service "app" of the namespace "`+operatortest.System+`"`)
	p.Quiet(t)

	p.create(t, service(zone, "unnamed"), service("default", "db"))
	p.Quiet(t)
	for _, s := range []*corev1.Service{db, app} {
		if err := p.Admin.Delete(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	good(all...)
	p.holds(t, "connection", "hosts/other", "hosts/ours", "hosts/plain", "hosts/pod", "hosts/wild")
}

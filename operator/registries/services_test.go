package registries_test

import (
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	corev1 "k8s.io/api/core/v1"
)

// R51: a set of tools leads to pods of its own namespace or nowhere: its Service is
// there, is no other name for a host, chooses its endpoints itself, and has the port.
// What changes with the Service is found at once, and takes it out of the registry.
func TestServicesThatToolsName(t *testing.T) {
	p := begin(t, map[string]any{"operator": map[string]any{"syncPeriod": "1h"}}, "evil", "victim")
	service := func(tenant, name string, change func(*corev1.ServiceSpec)) *corev1.Service {
		s := &corev1.Service{ObjectMeta: in(tenant, name), Spec: corev1.ServiceSpec{Selector: map[string]string{"app": name},
			Ports: []corev1.ServicePort{{Name: "http", Port: 8080}, {Name: "udp", Port: 53, Protocol: corev1.ProtocolUDP}}}}
		if change != nil {
			change(&s.Spec)
		}
		return s
	}
	tools := func(name, service string, port int32) *v1alpha1.MCPServer {
		s := mcpServer("evil", name, "", "")
		s.Spec.ServiceRef = &v1alpha1.ServiceReference{Name: service, Port: port}
		return s
	}
	elsewhere := func(s *corev1.ServiceSpec) {
		*s = corev1.ServiceSpec{Type: corev1.ServiceTypeExternalName, ExternalName: "jira.kora-tenant-victim.svc.cluster.local"}
	}
	p.create(t, service("victim", "jira", nil), service("evil", "good", nil), service("evil", "elsewhere", elsewhere),
		service("evil", "free", func(s *corev1.ServiceSpec) { s.Selector = nil }),
		service("evil", "headless", func(s *corev1.ServiceSpec) { s.ClusterIP = corev1.ClusterIPNone }))
	for _, c := range []struct {
		name, service string
		port          int32
		reason, says  string
	}{
		{"a-good", "good", 8080, v1alpha1.ReasonSucceeded, ""},
		{"a-headless", "headless", 8080, v1alpha1.ReasonSucceeded, ""},
		{"elsewhere", "elsewhere", 8080, v1alpha1.ReasonInvalid, "spec.serviceRef.name: the Service \"elsewhere\" is of type ExternalName"},
		{"free", "free", 8080, v1alpha1.ReasonInvalid, "spec.serviceRef.name: the Service \"free\" has no selector"},
		{"none", "none", 8080, v1alpha1.ReasonReferenceNotFound, "spec.serviceRef.name: there is no Service \"none\" in this namespace"},
		{"of-another", "jira", 8080, v1alpha1.ReasonReferenceNotFound, "Services of other namespaces are never named"},
		{"port", "good", 9090, v1alpha1.ReasonReferenceNotFound, "spec.serviceRef.port: the Service \"good\" has no TCP port 9090, it has 8080/TCP, 53/UDP"},
		{"udp", "good", 53, v1alpha1.ReasonReferenceNotFound, "no TCP port 53"},
	} {
		o := tools(c.name, c.service, c.port)
		p.create(t, o)
		says(t, p, o, c.reason, c.says)
	}
	p.holds(t, "mcpserver", "evil/a-good", "evil/a-headless")
	good := service("evil", "good", nil)
	p.patch(t, good, `{"spec":{"type":"ExternalName","externalName":"jira.kora-tenant-victim.svc.cluster.local","selector":null,"clusterIP":null,"clusterIPs":null}}`)
	says(t, p, tools("a-good", "", 0), v1alpha1.ReasonInvalid, "ExternalName")
	p.holds(t, "mcpserver", "evil/a-headless")
	p.create(t, service("evil", "none", nil)) // what comes later is found
	says(t, p, tools("none", "", 0), v1alpha1.ReasonSucceeded)
	if err := p.Admin.Delete(t.Context(), service("evil", "headless", nil)); err != nil {
		t.Fatal(err)
	}
	says(t, p, tools("a-headless", "", 0), v1alpha1.ReasonReferenceNotFound)
	p.holds(t, "mcpserver", "evil/none")
	p.Quiet(t)
}

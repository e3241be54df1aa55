package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// R51: no road leads into the cluster or to a machine of a cloud, in whichever field a
// host is named.
func TestHostsAreOutside(t *testing.T) {
	const inside, machine = "is a name of the cluster's own", "a cloud's metadata service or the names of its nodes"
	for host, want := range map[string]string{
		"api.github.com": "", "openai.com": "", "a.co": "", "team.github.io": "", "x.example.co.uk": "", "xn--fiqs8s.xn--fiqs8s": "",
		"jira.corp.internal": "", "git.team.lan": "", "sso.corp.local": "", "google.internal.example.com": "", "c.example.com": "",
		"svc.dev": "", "svc.example.com": "", "svc.corp.internal": "", "cluster.local.example.com": "", "x.svc.example.com": "", "mysvc.io": "",
		"svc": inside, "cluster.local": inside, "kora-policy.kora-system.svc": inside, "svc.cluster": inside, "x.svc.cluster": inside,
		"kora-policy.kora-system": inside, "istiod.istio-system": inside, "db-0.db.kora-system": inside, "kubernetes.default": inside,
		"registry": inside, "metadata": inside, "instance-data": inside, "svc.internal": inside, "svc.lan": inside, "host.novalocal": inside, "x.openstacklocal": inside,
		"metadata.google.internal": machine, "x.google.internal": "", "metadata.goog": machine,
		"node1.c.my-project.internal": machine, "node1.europe-west1-b.c.my-project.internal": machine, "node1.c.p.google.com.internal": machine,
		"instance-data.ec2.internal": machine, "ip-10-0-0-1.ec2.internal": machine, "i-0a.eu-west-1.compute.internal": machine, "ec2.internal": machine,
		"x.internal.cloudapp.net": machine, "google.internal": machine, "node.sub.vcn.oraclevcn.com": machine,
		"metadata.tencentyun.com": machine, "api.metadata.cloud.ibm.com": machine,
	} {
		url := fmt.Sprintf("https://%s:8443/v1", host)
		for field, faults := range map[string]string{
			"hosts":    Message(Connection(&v1alpha1.Connection{Spec: v1alpha1.ConnectionSpec{Hosts: []v1alpha1.Host{v1alpha1.Host(host)}}})),
			"tokenURL": Message(Connection(&v1alpha1.Connection{Spec: v1alpha1.ConnectionSpec{Authentication: v1alpha1.Authentication{TokenURL: url}}})),
			"url":      Message(MCPServer(&v1alpha1.MCPServer{Spec: v1alpha1.MCPServerSpec{URL: url}})),
			"endpoint": Message(ModelProvider(&v1alpha1.ModelProvider{Spec: v1alpha1.ModelProviderSpec{Endpoint: url}})),
		} {
			if want == "" && faults != "" || !contains(faults, want, field) {
				t.Errorf("%s of %s: %q", field, host, faults)
			}
		}
	}
	for pattern, want := range map[string]string{
		"*.example.com": "", "*.team.corp.internal": "", "*.kora-system": inside, "*.db.kora-system": inside, "*.internal": machine, "*.google.internal": machine,
		"*.my-project.internal": machine, "*.c.my-project.internal": machine, "*.cloudapp.net": machine, "*.ec2.internal": machine, "*.eu-west-1.compute.internal": machine,
	} {
		faults := Message(Connection(&v1alpha1.Connection{Spec: v1alpha1.ConnectionSpec{Hosts: []v1alpha1.Host{v1alpha1.Host(pattern)}}}))
		if want == "" && faults != "" || !contains(faults, want, "hosts") {
			t.Errorf("%s: %q", pattern, faults)
		}
	}
	// A registry of images may be in the cluster, and no machine of a cloud is one.
	for image, want := range map[string]string{"registry.tools:5000/x:1": "", "ip-10-0-0-1.ec2.internal/x:1": machine, "node1.c.my-project.internal/x:1": machine} {
		faults := Message(SandboxImage(&v1alpha1.SandboxImage{Spec: v1alpha1.SandboxImageSpec{Image: image}}))
		if want == "" && faults != "" || !contains(faults, want, "image") {
			t.Errorf("%s: %q", image, faults)
		}
	}
}

// contains reports whether faults, where any are wanted, say so and name the field.
func contains(faults, want, field string) bool {
	return want == "" || strings.Contains(faults, want) && strings.Contains(faults, field)
}

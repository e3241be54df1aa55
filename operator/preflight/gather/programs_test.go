package gather

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/operator/preflight/facts"
)

// R55: a component is known under whatever name a registry has its image, by the
// container's name in its own chart, and no other network is taken for Istio's.
func TestAProgramIsKnownUnderOtherImageNames(t *testing.T) {
	for _, c := range []struct {
		container, image, app string
		want                  facts.Role
	}{
		{"install-cni", "docker.io/istio/install-cni:1.31.1-distroless", "", facts.IstioCNI},
		{"install-cni", "cgr.dev/chainguard/istio-install-cni:1.31.1", "istio-cni-node", facts.IstioCNI},
		{"install-cni", "cgr.dev/chainguard/istio-install-cni-fips@sha256:0", "", facts.IstioCNI},
		{"x", "registry.example.com:5000/mirror/docker-io-istio-install-cni", "", facts.IstioCNI},
		{"install-cni", "registry.example.com/mesh/cni:1.31.1", "istio-cni-node", facts.IstioCNI},
		{"install-cni", "calico/cni:v3.2.0", "calico-node", ""}, {"install-cni", "quay.io/coreos/flannel-cni:v0.3.0", "", ""},
		{"x", "example.com/other-install-cni:1", "", ""},
		{"x", "ghcr.io/spiffe/spire-agent:1.15.2", "", facts.SpireAgent}, {"x", "cgr.dev/chainguard/hardened-spire-agent:1", "", facts.SpireAgent},
		{"x", "example.com/spire-agent-fips:1", "", facts.SpireAgent}, {"spire-agent", "example.com/identity/agent:1", "", facts.SpireAgent},
		{"x", "example.com/spire-agent-exporter:1", "", ""}, {"x", "example.com/spire-agent/exporter:1", "", ""}, {"x", "example.com/exporter:spire-agent", "", ""},
		{"x", "example.com/acme-spiffe-csi-driver", "", facts.SpireCSI}, {"spiffe-csi-driver", "example.com/csi@sha256:0", "", facts.SpireCSI},
		{"x", "example.com/notspire-agent:1", "", ""}, {"", "", "", ""},
	} {
		pod := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"k8s-app": c.app}}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "other"}, {Name: c.container, Image: c.image}}}}
		if got := roleOf(pod); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.container, c.image, got, c.want)
		}
	}
	if server := (corev1.PodSpec{Containers: []corev1.Container{{Name: "x", Image: "example.com/acme-spire-server:1"}}}); !runs(server, "spire-server") {
		t.Error("SPIRE's server")
	}
}

package injection

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/runkora/kora/operator/agents"
)

// Names of what is injected. A patch may use none of them (R14).
const (
	Enforcer       = "kora-enforcer"
	IdentityVolume = "kora-identity"
	identityPath   = "/run/kora/identity"
	PolicyVolume   = "kora-policy"
	policyPath     = "/run/kora/policy"

	meshSocket = "workload-socket" // the volume in which Istio's proxy looks for SPIRE's socket
	meshToken  = "istio-token"     // the volume of the proxy's token for istiod
	meshProxy  = "istio-proxy"
	spireCSI   = "csi.spiffe.io"

	koraID = 100 // R6
	meshID = agents.MeshID
)

// Annotations that wire the proxy, and their values where they are fixed.
const (
	proxyConfig      = "proxy.istio.io/config"
	proxyConfigValue = `{"holdApplicationUntilProxyStarts": true}`
	proxyCPU         = "sidecar.istio.io/proxyCPU"
	proxyMemory      = "sidecar.istio.io/proxyMemory"
	proxyCPULimit    = "sidecar.istio.io/proxyCPULimit"
	proxyMemoryLimit = "sidecar.istio.io/proxyMemoryLimit"
)

// wiring are the annotations that the injector sets.
func (s Settings) wiring() map[string]string {
	proxy, _ := s.shares()
	// Limits are Istio's own defaults, since with one annotation it reads no other default,
	// and no less than what is requested.
	cpu, memory := larger(resource.MustParse("2"), proxy.CPU), larger(resource.MustParse("1Gi"), proxy.Memory)
	return map[string]string{
		proxyConfig: proxyConfigValue,
		proxyCPU:    proxy.CPU.String(), proxyMemory: proxy.Memory.String(),
		proxyCPULimit: cpu.String(), proxyMemoryLimit: memory.String(),
	}
}

// meshWrites reports whether a key is one that Istio's injector writes into a pod.
func meshWrites(key, value string) bool {
	switch key {
	case statusKey, "istio.io/rev", "service.istio.io/canonical-name", "service.istio.io/canonical-revision":
		return true
	case "security.istio.io/tlsMode":
		return value == "istio"
	case "sidecar.istio.io/inject":
		return value == "true"
	}
	return false
}

// ours are the labels that every pod of an agent has, besides its type and slug.
func ours(component, slug, tenant string) map[string]string {
	name := "kora-agent"
	if component == agents.ComponentSandbox {
		name = "kora-sandbox"
	}
	return map[string]string{
		agents.LabelComponent: component, agents.LabelTenant: tenant,
		"app.kubernetes.io/name": name, "app.kubernetes.io/instance": agents.ObjectName(slug),
		"app.kubernetes.io/managed-by": "kora-agents", "app.kubernetes.io/part-of": "kora",
	}
}

// number reports whether a text is a replica's number.
func number(text string) bool {
	return text != "" && len(text) <= 9 && strings.Trim(text, "0123456789") == "" && (text == "0" || text[0] != '0')
}

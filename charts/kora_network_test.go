package charts

import (
	"os"
	"slices"
	"strings"
	"testing"

	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/yaml"
)

// typed reads an object into one of Kubernetes' types.
func typed[T any](t *testing.T, o any) T {
	t.Helper()
	var out T
	text, err := yaml.Marshal(o)
	if err == nil {
		err = yaml.UnmarshalStrict(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// reaches tells whether some policy lets pods with these labels out to a pod in a
// namespace of its own, on a TCP port.
func reaches(t *testing.T, policies []networkingv1.NetworkPolicy, pod labels.Set, namespace string, port int) bool {
	t.Helper()
	admits := func(s *metav1.LabelSelector, of labels.Set) bool {
		selector, err := metav1.LabelSelectorAsSelector(s)
		if err != nil {
			t.Fatal(err)
		}
		return selector.Matches(of)
	}
	for _, p := range policies {
		if !admits(&p.Spec.PodSelector, pod) {
			continue
		}
		for _, rule := range p.Spec.Egress {
			open := len(rule.Ports) == 0 || slices.ContainsFunc(rule.Ports, func(at networkingv1.NetworkPolicyPort) bool {
				return at.Port.IntValue() == port && (at.Protocol == nil || *at.Protocol == "TCP")
			})
			led := len(rule.To) == 0 || slices.ContainsFunc(rule.To, func(to networkingv1.NetworkPolicyPeer) bool {
				return to.NamespaceSelector != nil && to.PodSelector == nil && admits(to.NamespaceSelector, labels.Set{"kubernetes.io/metadata.name": namespace})
			})
			if open && led {
				return true
			}
		}
	}
	return false
}

// R24, R25: whoever is configured with PostgreSQL or Redis reaches it in another
// namespace, the services as the hooks that ran before them; nobody else does, and
// nobody by any other port.
func TestKoraStoresAreReachedByThoseWhoNeedThem(t *testing.T) {
	t.Parallel()
	run := helm(t, helms[0], os.DevNull)
	for _, preflight := range []string{"true", "false"} {
		all := manifests(t, template(t, run, "kora-system", append(valuesOf("kora"), "--set",
			"config.db.host=pg.databases.svc,config.db.port=15432,config.redis.host=cache.databases.svc,config.redis.port=16379,operator.preflight.enabled="+preflight)...))
		var policies []networkingv1.NetworkPolicy
		for _, o := range selected(all, "NetworkPolicy") {
			policies = append(policies, typed[networkingv1.NetworkPolicy](t, o))
		}
		needs := map[string]int{}
		for _, o := range selected(all, "Deployment", "Job") {
			name := o["metadata"].(map[string]any)["name"].(string)
			pod := podTemplate(o)
			text, err := yaml.Marshal(pod["spec"])
			if err != nil {
				t.Fatal(err)
			}
			at := typed[labels.Set](t, pod["metadata"].(map[string]any)["labels"])
			for store, port := range map[string]int{"postgres": 15432, "redis": 16379} {
				checks := name == "kora-preflight" || name == "kora-operator" && preflight == "true"
				need := checks || strings.Contains(string(text), "internal/platform/"+store+".yaml")
				if got := reaches(t, policies, at, "databases", port); got != need {
					t.Errorf("preflight %s: %s reaches %s: %v, needs it: %v", preflight, name, store, got, need)
				}
				if need {
					needs[store]++
				}
			}
			for _, port := range []int{5432, 6379, 22} {
				if reaches(t, policies, at, "databases", port) {
					t.Errorf("%s reaches port %d of another namespace", name, port)
				}
			}
		}
		if needs["postgres"] < 5 || needs["redis"] < 5 {
			t.Errorf("who needs what is not seen: %v", needs)
		}
	}
}

// R27: where TLS ends in front of the gateway, nothing of it is on 443, and nobody
// may read a Secret for it.
func TestKoraGatewayWithoutTLS(t *testing.T) {
	t.Parallel()
	run := helm(t, helms[0], os.DevNull)
	for _, on := range []bool{true, false} {
		flags := append(valuesOf("kora"), "--set", "gateway.tls.enabled=false")
		if on {
			flags = valuesOf("kora")
		}
		for _, o := range manifests(t, template(t, run, "kora-system", flags...)) {
			text, err := yaml.Marshal(o)
			if err != nil {
				t.Fatal(err)
			}
			name := o["metadata"].(map[string]any)["name"].(string)
			gateway := name == "kora-ingressgateway" || o["kind"] == "Gateway" || o["kind"] == "NetworkPolicy" && name == "kora-gateway"
			if said := strings.Contains(string(text), "443") || strings.Contains(string(text), "secrets"); gateway && said && !on {
				t.Errorf("%s speaks of 443 or a Secret:\n%s", title(o), text)
			} else if gateway && !said && on && slices.Contains([]any{"Service", "Gateway", "Role", "NetworkPolicy"}, o["kind"]) {
				t.Errorf("%s with TLS does not:\n%s", title(o), text)
			}
			if strings.HasPrefix(o["kind"].(string), "Role") && gateway && !on {
				t.Errorf("%s is of no use", title(o))
			}
		}
	}
}

// R28, R30: a port in a URL is a decimal number to the chart as to whoever dials it,
// even where Helm skips the schema, which refuses zeros in front.
func TestKoraPortsOfURLsAreDecimal(t *testing.T) {
	t.Parallel()
	flags := append(valuesOf("kora"), "--set", "global.observability.otlpEndpoint=http://a.b.svc:04317,global.observability.collectorNamespace=b",
		"--set", `agents.sandboxImages.registryMirrors.ghcr\.io=http://mirror.example:05000`)
	run := helm(t, helms[0], os.DevNull)
	if out, err := run(append([]string{"template", "kora", "kora"}, flags...)...); err == nil || !strings.Contains(out, "otlpEndpoint") || !strings.Contains(out, "registryMirrors") {
		t.Errorf("the schema takes zeros in front of a port: %v\n%.600s", err, out)
	}
	ports := map[int]bool{}
	for _, o := range selected(manifests(t, template(t, run, "kora-system", append(flags, "--skip-schema-validation")...)), "NetworkPolicy") {
		for _, rule := range typed[networkingv1.NetworkPolicy](t, o).Spec.Egress {
			for _, at := range rule.Ports {
				ports[at.Port.IntValue()] = true
			}
		}
	}
	if !ports[4317] || !ports[5000] || ports[0o4317] || ports[0o5000] {
		t.Errorf("ports %v", ports)
	}
}

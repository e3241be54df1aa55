package environment

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// R39: a wrong environment stops Helmfile before its first release: the guard
// fails with the field's name for each, and writes nothing for a right one.
func TestGuardStopsAWrongEnvironment(t *testing.T) {
	for text, says := range map[string]string{
		"": "", "trustDomain: UPPER": "trustDomain must be", "trustDomain: ''": "trustDomain must be", "frontendHost: https://a": "frontendHost must be",
		"istio: null": "istio must be a map", "workspace: a": "workspace must be a map", "trustDomian: a": "unknown field trustDomian",
		"istio: { revison: a }": "unknown field istio.revison", "istio: { outboundTrafficPolicy: DENY }": "istio.outboundTrafficPolicy must be one of",
		"charts: { kora: git://x }": "charts.kora must be", "clusterName: null": "clusterName must be", "argocd: { retry: { duration: soon } }": "argocd.retry.duration must be",
	} {
		env, found := read(least)
		if found.Refused() {
			t.Fatal(found)
		}
		values, over := env.Map(), map[string]any{}
		if err := yaml.Unmarshal([]byte(text), &over); err != nil {
			t.Fatal(err)
		}
		for key, v := range over {
			if base, ok := values[key].(map[string]any); ok && v != nil {
				if m, ok := v.(map[string]any); ok {
					for k, each := range m {
						base[k] = each
					}
					continue
				}
			}
			values[key] = v
		}
		out, err := (&Renderer{values}).Render("guard", Guard())
		if says == "" && (err != nil || strings.TrimSpace(out) != "") || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %q %v", text, out, err)
		}
	}
}

package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

const (
	pool  = "nodeSelector: { pool: a }"
	other = "nodeSelector: { pool: b }"
	exact = "affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: pool, operator: In, values: [a] }] }] } } }"
	prefs = "affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [{ key: pool, operator: Exists }] } }] } }"
)

// R9, R23: a split that the operator's settings make is told by the chart and by the
// plugin at the setting; what heals one, asks for less, or is shared is taken by both.
func TestOperatorsPlacementsAreHeldToOneAnother(t *testing.T) {
	release, own := helmChart(t), embedded(t)
	for _, c := range []struct{ common, more, sandbox, manager, at string }{
		{sandbox: pool, at: "sandboxPlacement"},
		{manager: pool, at: ""},
		{sandbox: pool, manager: pool},
		{sandbox: pool, manager: exact},
		{sandbox: exact, manager: pool},
		{sandbox: pool, manager: other, at: "sandboxPlacement"},
		{common: pool, sandbox: other, at: "sandboxPlacement"},
		{common: pool, manager: other, at: "installation.sessionManagerPlacement"},
		{common: pool, sandbox: other, manager: other},
		{common: pool, sandbox: pool},
		{common: pool, sandbox: "tolerations: [{ operator: Exists }]"},
		{common: exact, sandbox: prefs},
		{common: exact, sandbox: prefs, manager: other, at: "nowhere"},
		{common: prefs, sandbox: exact, at: "sandboxPlacement"},
		{common: pool, more: "workspace: { accessModes: [ReadWriteMany] }", sandbox: other},
		{common: pool, more: "configOverrides: { internal/agents: { workspace: { accessModes: [ReadWriteMany] } } }", sandbox: other},
		{more: "configOverrides: { internal/agents: { workloads: { common: { " + pool + " } } } }", sandbox: other, at: "sandboxPlacement"},
		{more: "configOverrides: { internal/agents: { workloads: { common: { " + pool + " } } } }", sandbox: exact},
	} {
		text := fmt.Sprintf("%sagents: { workloads: { common: { %s } }, %s }\noperator: { configOverrides: { internal/operator: {\n  sandboxPlacement: { %s },\n  installation: { sessionManagerPlacement: { %s } } } } }\n", needs, c.common, c.more, c.sandbox, c.manager)
		tree := read(t, text)
		lines, found := ofChart(t, release, tree), Check(tree, own)
		if c.at == "" {
			if len(lines) > 0 || found.Refused() {
				t.Errorf("%s\nthe chart says %q, the plugin\n%s", text, lines, report(t, found))
			}
			continue
		}
		at := `operator.configOverrides["internal/operator"].` + c.at
		line := 5
		if c.at != "sandboxPlacement" {
			line = 6
		}
		if c.at == "nowhere" {
			at = `operator.configOverrides["internal/operator"].installation.sessionManagerPlacement: no node`
		}
		if len(lines) != 1 || !strings.HasPrefix(lines[0], at) || len(found) != 1 || !said(lines[0], found) || found[0].Line != line {
			t.Errorf("%s\nthe chart says %q, the plugin\n%s", text, lines, report(t, found))
		}
	}
}

// R9, R23: settings by which the operator looks for a workload where the agents never
// place it are told, and taken; what both may admit is not spoken of.
func TestOperatorsPlacementsAgainstTheAgents(t *testing.T) {
	own := embedded(t)
	const either = "affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: pool, operator: In, values: [b] }] }, { matchExpressions: [{ key: pool, operator: Exists }] }] } } }"
	const not = "affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: pool, operator: NotIn, values: [a] }] }] } } }"
	for _, c := range []struct {
		common, sandbox, manager string
		lines                    []int
	}{
		{common: pool, sandbox: other, manager: other, lines: []int{5, 6}},
		{common: pool, sandbox: other, lines: []int{5}},
		{common: pool, manager: other, lines: []int{6}},
		{common: exact, sandbox: not, lines: []int{5}},
		{common: exact, sandbox: either},
		{common: exact, sandbox: pool},
		{common: pool, sandbox: "nodeSelector: { disk: ssd }"},
		{common: pool, sandbox: prefs},
		{sandbox: pool, manager: other},
		{common: prefs, sandbox: "tolerations: [{ operator: Exists }]"},
	} {
		text := fmt.Sprintf("%sagents: { workloads: { common: { %s } }, workspace: { accessModes: [ReadWriteMany] } }\noperator: { configOverrides: { internal/operator: {\n  sandboxPlacement: { %s },\n  installation: { sessionManagerPlacement: { %s } } } } }\n", needs, c.common, c.sandbox, c.manager)
		found := Check(read(t, text), own)
		var lines []int
		for _, f := range found {
			lines = append(lines, f.Line)
			if f.Code != faults.Contradiction || f.Severity != faults.Warning || !strings.HasPrefix(f.Message, "no node is admitted both") {
				t.Error(f)
			}
		}
		if !slices.Equal(lines, c.lines) {
			t.Errorf("%s\nwanted %v, got\n%s", text, c.lines, report(t, found))
		}
	}
}

// R23, R28: what repeats a value in another form is taken by the chart and by the
// plugin; an empty endpoint is one service's wish, but not the operator's, by which
// the policies of agents are made.
func TestSettingsMayRepeatTheValues(t *testing.T) {
	release, own := helmChart(t), embedded(t)
	for text, good := range map[string]bool{
		"agents: { configOverrides: { internal/agents: { sidecars: { cpu: '0.9', memory: 327680Ki } } } }":                                                            true,
		"agents: { configOverrides: { internal/agents: { sidecars: { cpu: 900e-3 } } } }":                                                                             true,
		"agents: { configOverrides: { internal/agents: { sidecars: { cpu: 901m } } } }":                                                                               false,
		"operator: { injection: { sandboxSidecars: { cpu: 1000m, memory: 1Gi } }, configOverrides: { internal/operator: { sidecars: { cpu: 1, memory: 1024Mi } } } }": true,
		"operator: { injection: { sandboxSidecars: { memory: 1G } }, configOverrides: { internal/operator: { sidecars: { memory: 1Gi } } } }":                         false,
		"agents: { configOverrides: { internal/agents: { imagePullSecrets: [] } } }":                                                                                  true,
		"agents: { configOverrides: { internal/agents: { imagePullSecrets: [a] } } }":                                                                                 false,
		"operator: { configOverrides: { internal/operator: { platformSecrets: [kora-secrets, kora-frontend-secrets] } } }":                                            true,
		"operator: { configOverrides: { internal/operator: { platformSecrets: [kora-frontend-secrets, kora-secrets] } } }":                                            false,
		"operator: { configOverrides: { internal/operator: { platformSecrets: [] } } }":                                                                               false,
		"operator: { configOverrides: { internal/operator: { sandboxImages: { registryPorts: [], registryMirrors: {} } } } }":                                         true,
		"operator: { configOverrides: { internal/platform/observability: { otlpEndpoint: '' } } }":                                                                    false,
	} {
		tree := read(t, needs[:len("global: { ")]+"observability: { otlpEndpoint: 'http://otel:4317' }, "+needs[len("global: { "):]+text)
		if lines, found := ofChart(t, release, tree), Check(tree, own); len(lines) == 0 != good || found.Refused() == good {
			t.Errorf("%s: the chart says %q, the plugin\n%s", text, lines, report(t, found))
		}
	}
	for _, service := range Services() {
		tree := read(t, needs[:len("global: { ")]+"observability: { otlpEndpoint: 'http://otel:4317' }, "+needs[len("global: { "):]+service+": { configOverrides: { internal/platform/observability: { otlpEndpoint: '' } } }")
		refused := service == "operator"
		if lines, found := ofChart(t, release, tree), Check(tree, own); len(lines) > 0 != refused || found.Refused() != refused {
			t.Errorf("%s: the chart says %q, the plugin\n%s", service, lines, report(t, found))
		}
	}
}

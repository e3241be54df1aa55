package settings_test

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/settings"
)

// modules are what a folder holds at least; change may alter one.
func modules(name, text string) fstest.MapFS {
	all := fstest.MapFS{
		"internal/operator.yaml":               {Data: []byte("systemNamespace: kora-system\nsyncPeriod: 10m\nleaderElection: { enabled: true, name: kora-operator }\nports: { webhooks: 9443, probes: 8081, metrics: 8082 }\nsandboxMount: { enabled: true, port: 20490 }\n")},
		"internal/platform/identity.yaml":      {Data: []byte("trustDomain: example.com\n")},
		"internal/platform/mesh.yaml":          {Data: []byte("outboundTrafficPolicy: REGISTRY_ONLY\n")},
		"internal/platform/observability.yaml": {Data: []byte("logFormat: json\n")},
	}
	if name != "" {
		all[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return all
}

// R23: what the chart renders by default is what the operator reads, key for key.
func TestTheChartsSettingsAreRead(t *testing.T) {
	got := operatortest.Settings(t, map[string]any{
		"istio":    map[string]any{"outboundTrafficPolicy": "REGISTRY_ONLY"},
		"operator": map[string]any{"syncPeriod": "1h"},
		"global": map[string]any{"imagePullSecrets": []any{"pull", map[string]any{"name": "other"}},
			"observability": map[string]any{"otlpEndpoint": "http://collector:4318", "collectorNamespace": "telemetry"}},
	})
	if got.SystemNamespace != operatortest.System || got.Sync() != time.Hour || !got.Mesh.RegistryOnly() || got.Identity.TrustDomain != "example.com" {
		t.Errorf("%+v", got)
	}
	if len(got.ImagePullSecrets) != 2 || got.ImagePullSecrets[1] != "other" || got.CollectorNamespace != "telemetry" {
		t.Errorf("%+v", got.Operator)
	}
	if port, err := got.CollectorPort(); port != 4318 || err != nil {
		t.Errorf("the collector's port is %d, %v", port, err)
	}
	if got.Sidecars.CPU.String() != "900m" || len(got.SandboxImages.Bundled) != 3 || got.SandboxImages.Base.Image == "" {
		t.Errorf("%+v", got.SandboxImages)
	}
}

// R23: each wrong setting is told with its module and key, and all of them at once.
func TestWrongSettingsAreTold(t *testing.T) {
	const operator = "internal/operator.yaml"
	for name, c := range map[string]struct{ file, text, want string }{
		"an unknown key":       {operator, "systemNamespaces: x", `internal/operator: …unknown field "systemNamespaces"`},
		"no YAML":              {"internal/platform/mesh.yaml", ":\n- {", "internal/platform/mesh: "},
		"a wrong type":         {operator, "networkPolicy: maybe", "internal/operator: …networkPolicy"},
		"no namespace":         {operator, "syncPeriod: 10m", "systemNamespace: "},
		"a period of nothing":  {operator, "systemNamespace: a\nsyncPeriod: 0s", `syncPeriod: "0s" is no duration of at least 1s`},
		"no lease":             {operator, "systemNamespace: a\nsyncPeriod: 1m\nleaderElection: { enabled: true }", "leaderElection.name: empty"},
		"no port":              {operator, "systemNamespace: a\nsyncPeriod: 1m\nports: { metrics: 70000 }", "ports.metrics: 70000 is no port"},
		"no URL":               {"internal/platform/observability.yaml", "otlpEndpoint: collector", "otlpEndpoint: not a URL"},
		"no collector's port":  {"internal/platform/observability.yaml", "otlpEndpoint: http://a:99999", "otlpEndpoint: 99999 is no port"},
		"the collector as NFS": {"internal/platform/observability.yaml", "otlpEndpoint: http://a:20490", "sandboxMount.port: 20490 is a port that agents must reach"},
		"no collector's block": {operator, "systemNamespace: a\nsyncPeriod: 1m\ncollectorCIDRs: [203.0.113.0/28, 203.0.113.1]", `collectorCIDRs[1]: "203.0.113.1" is not the block`},
		"any address at all":   {operator, "systemNamespace: a\nsyncPeriod: 1m\ncollectorCIDRs: ['::/0']", `collectorCIDRs[0]: "::/0" is not the block`},
		"several":              {operator, "syncPeriod: x", `systemNamespace: …syncPeriod: "x"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := settings.Load(modules(c.file, c.text))
			if err == nil {
				t.Fatal("taken")
			}
			said := err.Error()
			for part := range strings.SplitSeq(c.want, "…") {
				if !strings.Contains(said, part) {
					t.Errorf("got %v\nwant %s", err, c.want)
				}
			}
		})
	}
	if _, err := settings.Load(fstest.MapFS{}); err == nil || strings.Count(err.Error(), "config module") != 4 {
		t.Errorf("missing modules: %v", err)
	}
	if _, err := settings.Load(modules("", "")); err != nil {
		t.Errorf("refused: %v", err)
	}
}

package values

import (
	"strings"
	"testing"
)

// R4, R7, R10, R11, R20, R21, R28, R29: every wrong value is refused with its
// code, at its own place and under its own path, and the fix is never missing.
func TestCheckPointsAtEveryWrongValue(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"top-level typo":               {"agent: {}", "KORA-F001 1:1 agent"},
		"top-level case":               {"frontendhost: a", "KORA-F001 1:1 frontendhost"},
		"unknown top-level key":        {"x:\n  y: 1", "KORA-F001 1:1 x"},
		"block is a list":              {"agents: []", "KORA-F002 1:9 agents"},
		"workload typo":                {"agents:\n  workloads:\n    sandbx: {}", "KORA-F001 3:5 agents.workloads.sandbx"},
		"setting typo":                 {"agents:\n  workloads:\n    sandbox:\n      nodeSelectr: {a: b}", "KORA-F001 4:7 agents.workloads.sandbox.nodeSelectr"},
		"toleration typo":              {"agents: {workloads: {common: {tolerations: [{kee: a}]}}}", "KORA-F001 1:46 agents.workloads.common.tolerations[0].kee"},
		"sandbox ServiceAccount":       {"agents: {workloads: {sandbox: {serviceAccount: {}}}}", "KORA-F001 1:32 agents.workloads.sandbox.serviceAccount"},
		"affinity of the wrong type":   {"agents: {workloads: {common: {affinity: {nodeAffinity: []}}}}", "KORA-F002 1:56 agents.workloads.common.affinity.nodeAffinity"},
		"label is a number":            {"agents: {workloads: {common: {podLabels: {a: 1}}}}", "KORA-F002 1:46 agents.workloads.common.podLabels.a"},
		"label is a boolean word":      {"agents: {workloads: {common: {podLabels: {a: on}}}}", "KORA-F003 1:46 agents.workloads.common.podLabels.a"},
		"owned label":                  {"agents:\n  workloads:\n    common:\n      podLabels:\n        runkora.io/tenant: x", `KORA-V004 5:9 agents.workloads.common.podLabels["runkora.io/tenant"]`},
		"owned annotation":             {"agents: {workloads: {sandbox: {podAnnotations: {sidecar.istio.io/inject: 'false'}}}}", `KORA-V004 1:49 agents.workloads.sandbox.podAnnotations["sidecar.istio.io/inject"]`},
		"owned annotation in capitals": {"agents: {workloads: {sessionManager: {podAnnotations: {Sidecar.ISTIO.io/inject: 'false'}}}}", `KORA-V004 1:56 agents.workloads.sessionManager.podAnnotations["Sidecar.ISTIO.io/inject"]`},
		"label key":                    {"agents: {workloads: {common: {podLabels: {'a b': c}}}}", `KORA-V005 1:43 agents.workloads.common.podLabels["a b"]`},
		"label value":                  {"agents: {workloads: {common: {podLabels: {a: 'b c'}}}}", "KORA-V005 1:46 agents.workloads.common.podLabels.a"},
		"annotation key":               {"agents: {workloads: {common: {podAnnotations: {-a: 'b c'}}}}", "KORA-V005 1:48 agents.workloads.common.podAnnotations.-a"},
		"node selector key":            {"agents: {workloads: {common: {nodeSelector: {a/b/c: d}}}}", `KORA-V005 1:46 agents.workloads.common.nodeSelector["a/b/c"]`},
		"node selector value":          {"agents: {workloads: {common: {nodeSelector: {a: d/e}}}}", "KORA-V005 1:49 agents.workloads.common.nodeSelector.a"},
		"ServiceAccount annotation":    {"agents: {workloads: {sessionManager: {serviceAccount: {annotations: {'a:b': c}}}}}", "KORA-V005 1:70 agents.workloads.sessionManager.serviceAccount.annotations.a:b"},
		"priority class":               {"agents: {workloads: {common: {priorityClassName: High_Prio}}}", "KORA-A002 1:50 agents.workloads.common.priorityClassName"},
		"storage class":                {"agents: {workspace: {storageClassName: 'a b'}}", "KORA-A002 1:40 agents.workspace.storageClassName"},
		"size is no quantity":          {"agents: {workspace: {size: 10GB}}", "KORA-V002 1:28 agents.workspace.size"},
		"size is zero":                 {"agents: {workspace: {size: 0}}", "KORA-V003 1:28 agents.workspace.size"},
		"size is negative":             {"agents: {workspace: {size: -1Gi}}", "KORA-V003 1:28 agents.workspace.size"},
		"size is a boolean":            {"agents: {workspace: {size: true}}", "KORA-F002 1:28 agents.workspace.size"},
		"size is a map":                {"agents: {workspace: {size: {a: 1}}}", "KORA-F002 1:28 agents.workspace.size"},
		"size with endless exponent":   {"agents: {workspace: {size: 1e999999999}}", "KORA-V002 1:28 agents.workspace.size"},
		"mode is unknown":              {"agents: {workspace: {accessModes: [ReadWriteMny]}}", "KORA-V006 1:36 agents.workspace.accessModes[0]"},
		"mode for one pod":             {"agents: {workspace: {accessModes: [ReadWriteOncePod]}}", "KORA-V006 1:36 agents.workspace.accessModes[0]"},
		"mode that only reads":         {"agents: {workspace: {accessModes: [ReadOnlyMany]}}", "KORA-V006 1:35 agents.workspace.accessModes"},
		"no mode":                      {"agents: {workspace: {accessModes: []}}", "KORA-V006 1:35 agents.workspace.accessModes"},
		"mode is a text":               {"agents: {workspace: {accessModes: ReadWriteMany}}", "KORA-F002 1:35 agents.workspace.accessModes"},
		"default size typo":            {"agents: {environments: {defaultSize: {mem: 1Gi}}}", "KORA-F001 1:39 agents.environments.defaultSize.mem"},
		"default size is no quantity":  {"agents: {environments: {defaultSize: {cpu: two}}}", "KORA-V002 1:44 agents.environments.defaultSize.cpu"},
		"maxSize below defaultSize":    {"agents:\n  environments:\n    defaultSize: {cpu: 3, memory: 8Gi}\n    maxSize: {cpu: 4, memory: 4Gi}", "KORA-V003 4:31 agents.environments.maxSize.memory"},
		"maxSize below the default":    {"agents: {environments: {maxSize: {cpu: 1500m}}}", "KORA-V003 1:40 agents.environments.maxSize.cpu"},
		"defaultSize above the max":    {"agents: {environments: {defaultSize: {disk: 11Gi}}}", "KORA-V003 1:45 agents.environments.maxSize.disk"},
		"sidecars typo":                {"operator: {injection: {sandboxSidecars: {cpus: 1}}}", "KORA-F001 1:42 operator.injection.sandboxSidecars.cpus"},
		"sidecars is no quantity":      {"operator: {injection: {sandboxSidecars: {cpu: 1x}}}", "KORA-V002 1:47 operator.injection.sandboxSidecars.cpu"},
		"sidecars beyond any use":      {"operator: {injection: {sandboxSidecars: {cpu: 64, memory: 64.5Gi}}}", "KORA-V003 1:59 operator.injection.sandboxSidecars.memory"},
		"injection misspelt":           {"operator: {injecton: {}}", "KORA-F001 1:12 operator.injecton"},
		"sandboxSidecars misspelt":     {"operator: {injection: {sandboxSidecar: {}}}", "KORA-F001 1:24 operator.injection.sandboxSidecar"},
		"placeholder too small":        {"agents: {sandboxWarming: {resources: {requests: {cpu: 2800m}}}}", "KORA-V003 1:55 agents.sandboxWarming.resources.requests.cpu"},
		"warming mode is a boolean":    {"agents: {sandboxWarming: {mode: off}}", "KORA-F003 1:33 agents.sandboxWarming.mode"},
		"sandbox image with blank":     {"agents: {config: {sandboxImage: 'a b'}}", "KORA-F002 1:33 agents.config.sandboxImage"},
		"sandbox image with scheme":    {"agents: {config: {sandboxImage: 'https://a/b'}}", "KORA-F002 1:33 agents.config.sandboxImage"},
		"bundled image with newline":   {"agents: {sandboxImages: {bundled: {go: {image: \"a\\nb\"}}}}", "KORA-F002 1:48 agents.sandboxImages.bundled.go.image"},
		"bundled typo":                 {"agents: {sandboxImages: {bundled: {nodejs: {}}}}", "KORA-F001 1:36 agents.sandboxImages.bundled.nodejs"},
		"registry port":                {"agents: {sandboxImages: {registryPorts: [5000, 70000]}}", "KORA-F002 1:48 agents.sandboxImages.registryPorts[1]"},
		"registry with scheme":         {"global: {imageRegistry: 'https://ghcr.io'}", "KORA-F002 1:25 global.imageRegistry"},
		"registry ends in a slash":     {"global: {imageRegistry: ghcr.io/}", "KORA-F002 1:25 global.imageRegistry"},
		"tag is a number":              {"global: {imageTag: 1.4}", "KORA-F002 1:20 global.imageTag"},
		"tag with a slash":             {"global: {imageTag: a/b}", "KORA-F002 1:20 global.imageTag"},
		"cluster's priority class":     {"agents: {workloads: {sandbox: {priorityClassName: system-node-critical}}}", "KORA-F002 1:51 agents.workloads.sandbox.priorityClassName"},
		"another network":              {"agents: {workloads: {common: {podAnnotations: {k8s.v1.cni.cncf.io/networks: a}}}}", "KORA-V004 1:48 agents.workloads.common.podAnnotations[\"k8s.v1.cni.cncf.io/networks\"]"},
		"pull secret name":             {"global: {imagePullSecrets: [A_B]}", "KORA-A002 1:29 global.imagePullSecrets[0]"},
		"pull secret is a number":      {"global: {imagePullSecrets: [1]}", "KORA-F002 1:29 global.imagePullSecrets[0]"},
		"pull secret without name":     {"global: {imagePullSecrets: [a, {}]}", "KORA-F002 1:32 global.imagePullSecrets[1]"},
		"pull secret's name is a list": {"global: {imagePullSecrets: [{name: []}]}", "KORA-F002 1:36 global.imagePullSecrets[0].name"},
		"pull secret typo":             {"global: {imagePullSecrets: [{name: a, namespace: b}]}", "KORA-F001 1:39 global.imagePullSecrets[0].namespace"},
		"sampling rate above one":      {"global: {observability: {samplingRate: '1.5'}}", "KORA-F002 1:40 global.observability.samplingRate"},
		"sampling rate is no number":   {"global: {observability: {samplingRate: often}}", "KORA-F002 1:40 global.observability.samplingRate"},
		"sampling rate is NaN":         {"global: {observability: {samplingRate: .nan}}", "KORA-F002 1:40 global.observability.samplingRate"},
		"endpoint without scheme":      {"global: {observability: {otlpEndpoint: 'otel:4317'}}", "KORA-F002 1:40 global.observability.otlpEndpoint"},
		"endpoint with file scheme":    {"global: {observability: {otlpEndpoint: 'file:///etc/passwd'}}", "KORA-F002 1:40 global.observability.otlpEndpoint"},
		"endpoint with octal port":     {"global: {observability: {otlpEndpoint: 'http://otel:04317'}}", "KORA-F002 1:40 global.observability.otlpEndpoint"},
		"endpoint without host":        {"global: {observability: {otlpEndpoint: 'http://:4317'}}", "KORA-F002 1:40 global.observability.otlpEndpoint"},
		"collector namespace":          {"global: {observability: {collectorNamespace: a.b}}", "KORA-A002 1:46 global.observability.collectorNamespace"},
		"observability typo":           {"global: {observability: {otlpEndpont: a}}", "KORA-F001 1:26 global.observability.otlpEndpont"},
		"mount port":                   {"sandboxMount: {port: 0}", "KORA-F002 1:22 sandboxMount.port"},
		"mount typo":                   {"sandboxMount: {enable: true}", "KORA-F001 1:16 sandboxMount.enable"},
		"mount is a text":              {"sandboxMount: {enabled: 'true'}", "KORA-F002 1:25 sandboxMount.enabled"},
	} {
		t.Run(name, func(t *testing.T) {
			found := mustLoad(t, []string{c.text}).Check()
			if got := strings.ReplaceAll(show(found), "0.yaml:", ""); got != c.want {
				t.Fatalf("got  %s\nwant %s", got, c.want)
			}
			if found[0].Fix == "" || found[0].Source == "" {
				t.Errorf("no fix or no source line: %+v", found[0])
			}
		})
	}
}

// R15: all faults are reported in one run, those of a later file too.
func TestCheckReportsEverythingAtOnce(t *testing.T) {
	got := show(mustLoad(t, []string{
		"agents:\n  workspace: {size: 1x, accessModes: [a, ReadWriteOncePod]}\n",
		"global:\n  imageTag: 1\n  observability: {samplingRate: 2}\nfoo: bar\n",
	}).Check())
	want := strings.Join([]string{
		"KORA-V002 0.yaml:2:21 agents.workspace.size",
		"KORA-V006 0.yaml:2:39 agents.workspace.accessModes[0]",
		"KORA-V006 0.yaml:2:42 agents.workspace.accessModes[1]",
		"KORA-F002 1.yaml:2:13 global.imageTag",
		"KORA-F002 1.yaml:3:33 global.observability.samplingRate",
		"KORA-F001 1.yaml:4:1 foo",
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// R10: where one of the two sizes is not set, the message says that the default
// of the other counts.
func TestSizeFaultNamesTheDefault(t *testing.T) {
	f := mustLoad(t, []string{"agents: {environments: {maxSize: {cpu: 1}}}"}).Check()[0]
	if want := "at least 2, which is agents.environments.defaultSize.cpu by default"; f.Expected != want {
		t.Errorf("expected %q", f.Expected)
	}
	f = mustLoad(t, []string{"agents: {environments: {defaultSize: {cpu: 3}}}"}).Check()[0]
	if f.Found != "2, which is the default" || !strings.Contains(f.Fix, "agents.environments.maxSize.cpu to 3") {
		t.Errorf("message %q, fix %q", f.Message, f.Fix)
	}
}

// R28: credentials in an endpoint are refused, and shown nowhere: neither by
// their own fault, nor by another on the same line, nor in the name of a flag.
func TestCredentialsAreNeverShown(t *testing.T) {
	const secret = "hunter2"
	for name, c := range map[string]struct {
		texts, flags []string
	}{
		"own fault":      {texts: []string{"global:\n  observability:\n    otlpEndpoint: http://kora:hunter2@otel:4317\n"}},
		"malformed":      {texts: []string{"global: {observability: {otlpEndpoint: 'http://kora:%hunter2@otel'}}"}},
		"over two lines": {texts: []string{"global: {observability: {otlpEndpoint: \"http://kora:hunter2\\\n  @otel\"}}"}},
		"same line":      {texts: []string{"global: {observability: {otlpEndpoint: 'http://kora:hunter2@otel', samplingRte: 1}}"}},
		"wrong place":    {texts: []string{"global: {observability: 'http://a-user-with-a-long-name:hunter2-and-more@otel'}"}},
		"syntax":         {texts: []string{"a: http://kora:hunter2@otel: b\n"}},
		"--set":          {flags: []string{"--set global.observability.otlpEndpoint=http://kora:hunter2@otel"}},
		"with a blank":   {flags: []string{"--set global.observability.otlpEndpoint=http://kora:hunter2 x@otel"}},
		"without scheme": {flags: []string{"--set global.observability.otlpEndpoint=kora:hunter2@otel,global.imageTag=1"}},
		"--set-json":     {flags: []string{`--set-json global.observability={"otlpEndpoint":"http://kora:hunter2@otel","x":1}`}},
		"bad --set":      {flags: []string{`--set global.observability.otlpEndpoint=http://kora:hunter2@otel,foo`}},
	} {
		t.Run(name, func(t *testing.T) {
			tree, found := load(t, c.texts, c.flags...)
			found = append(found, tree.Check()...)
			if len(found) == 0 {
				t.Fatal("accepted")
			}
			for _, f := range found {
				for _, text := range []string{f.File, f.Key, f.Field, f.Message, f.Found, f.Expected, f.Fix, f.Source} {
					if strings.Contains(text, secret) {
						t.Errorf("%+v", f)
					}
				}
			}
		})
	}
}

package values

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/runkora/kora/operator/agents"
)

var coder = Agent{Slug: "coder", TypeID: "id-1", Namespace: "tenant-example"}

func settings(t testing.TB, tree *Tree) agents.Settings {
	t.Helper()
	if found := tree.Check(); len(found) > 0 {
		t.Fatal(show(found))
	}
	s, found := tree.Settings("1.4.0", coder)
	if len(found) > 0 {
		t.Fatal(show(found))
	}
	return s
}

// R2: values that set nothing give the defaults.
func TestNoValuesGiveTheDefaults(t *testing.T) {
	want := agents.Defaults("1.4.0")
	want.Slug, want.TypeID, want.Namespace = coder.Slug, coder.TypeID, coder.Namespace
	for _, text := range []string{"", "agents: {workspace: {storageClassName: ''}, workloads: {common: {tolerations: []}}, config: {sandboxImage: ''}}\nglobal: {imageTag: '', imagePullSecrets: []}\n"} {
		if diff := cmp.Diff(want, settings(t, mustLoad(t, []string{text}))); diff != "" {
			t.Error(diff)
		}
	}
}

// R4, R5, R7, R10, R21, R28: every value reaches the settings.
func TestEveryValueReachesTheSettings(t *testing.T) {
	got := settings(t, mustLoad(t, []string{`
agents:
  workloads:
    common:
      nodeSelector: {pool: kora, disk: ssd}
      priorityClassName: normal
      podLabels: {team: a, cost: b}
      tolerations: [{key: k, operator: Exists, effect: NoExecute, tolerationSeconds: 30}]
    sessionManager:
      podLabels: {team: c}
      serviceAccount: {annotations: {eks.amazonaws.com/role-arn: 'arn:aws:iam::123456789012:role/kora-agent'}}
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms: [{matchExpressions: [{key: z, operator: In, values: [a]}]}]
    sandbox:
      nodeSelector: {pool: sandbox}
      priorityClassName: low
      podAnnotations: {note: x}
      topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {a: b}}}]
  workspace: {storageClassName: efs, accessModes: [ReadWriteMany], size: 20Gi}
  environments: {defaultSize: {cpu: 3, disk: 12Gi}, maxSize: {cpu: 4, disk: 18Gi}}
  config: {sandboxImage: 'example.com/sandbox@sha256:00'}
global:
  imageRegistry: mirror.example/kora
  imageTag: 1.4.1
  imagePullSecrets: [one, {name: two}]
  observability: {otlpEndpoint: 'http://otel.observability.svc:4317', samplingRate: 0.25}
operator: {injection: {sandboxSidecars: {cpu: 1}}, replicas: 2}
sandboxMount: {enabled: true}
`}))
	class, seconds := "efs", int64(30)
	want := agents.Settings{
		Slug: "coder", TypeID: "id-1", Namespace: "tenant-example",
		Images:      agents.Images{SessionManager: "mirror.example/kora/kora-session-manager:1.4.1", Sandbox: "example.com/sandbox@sha256:00"},
		PullSecrets: []string{"one", "two"},
		ServiceAccountAnnotations: map[string]string{
			"eks.amazonaws.com/role-arn": "arn:aws:iam::123456789012:role/kora-agent",
		},
		Workspace:    agents.Workspace{StorageClassName: &class, AccessModes: []corev1.PersistentVolumeAccessMode{"ReadWriteMany"}, Size: resource.MustParse("20Gi")},
		SandboxSize:  agents.Size{CPU: resource.MustParse("3"), Memory: resource.MustParse("4Gi"), Disk: resource.MustParse("12Gi")},
		Sidecars:     agents.Sidecars{CPU: resource.MustParse("1"), Memory: resource.MustParse("320Mi")},
		SandboxMount: true,
		Telemetry:    agents.Telemetry{OTLPEndpoint: "http://otel.observability.svc:4317", SamplingRate: "0.25"},
	}
	tolerations := []corev1.Toleration{{Key: "k", Operator: "Exists", Effect: "NoExecute", TolerationSeconds: &seconds}}
	want.SessionManager = agents.Workload{
		NodeSelector: map[string]string{"pool": "kora", "disk": "ssd"}, Tolerations: tolerations, PriorityClassName: "normal",
		PodLabels: map[string]string{"team": "c", "cost": "b"},
		Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "z", Operator: "In", Values: []string{"a"}}}}},
		}}},
	}
	want.Sandbox = agents.Workload{
		NodeSelector: map[string]string{"pool": "sandbox", "disk": "ssd"}, Tolerations: tolerations, PriorityClassName: "low",
		PodLabels: map[string]string{"team": "a", "cost": "b"}, PodAnnotations: map[string]string{"note": "x"},
		TopologySpreadConstraints: settings(t, mustLoad(t, nil)).Sandbox.TopologySpreadConstraints,
	}
	if n := len(got.Sandbox.TopologySpreadConstraints); n != 1 || got.Sandbox.TopologySpreadConstraints[0].LabelSelector.MatchLabels["a"] != "b" {
		t.Errorf("%d constraints", n)
	}
	got.Sandbox.TopologySpreadConstraints = nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// R2, R3: names are refused under the flag that gives them, and a type id made of
// a bad slug is no second fault.
func TestNamesOfAgents(t *testing.T) {
	const slug, id, namespace = "KORA-A002 --agent-slug:0:0 ", "KORA-A002 --agent-type-id:0:0 ", "KORA-A002 --namespace:0:0 "
	for _, c := range []struct {
		want []string
		a    Agent
	}{
		{nil, Agent{Slug: "coder", Namespace: "tenant-example"}},
		{[]string{slug}, Agent{Slug: "Coder!", Namespace: "a"}},
		{[]string{slug}, Agent{Namespace: "a"}},
		{[]string{slug, namespace}, Agent{Namespace: "render-"}},
		{[]string{id}, Agent{Slug: "a", TypeID: "a b", Namespace: "a"}},
		{[]string{namespace}, Agent{Slug: "a", Namespace: "a.b"}},
		{[]string{namespace}, Agent{Slug: "a"}},
		{[]string{slug, id, namespace}, Agent{Slug: strings.Repeat("a", 60), TypeID: strings.Repeat("a", 64), Namespace: "B"}},
	} {
		s, found := mustLoad(t, nil).Settings("1.4.0", c.a)
		if got := show(found); got != strings.Join(c.want, "\n") {
			t.Errorf("%+v: got %q, want %q", c.a, got, c.want)
		}
		if c.a.TypeID == "" && s.TypeID != "render-"+c.a.Slug {
			t.Errorf("type id %q", s.TypeID)
		}
	}
}

// R15: settings of values that Check refuses are made all the same.
func TestSettingsOfWrongValuesAreDefaults(t *testing.T) {
	for _, text := range []string{
		"agents: 1", "agents: {workloads: [], workspace: x, environments: {defaultSize: {cpu: -1}}, config: {sandboxImage: 1}}",
		"agents: {workloads: {common: {tolerations: x}, sessionManager: {serviceAccount: {annotations: [a]}}}}",
		"global: {imagePullSecrets: [1, {name: {}}], observability: {samplingRate: [], otlpEndpoint: {}}}", "global: x\nsandboxMount: {enabled: 1}\noperator: []",
		"agents: {workspace: {size: [], accessModes: x, storageClassName: {}}}",
	} {
		s, _ := mustLoad(t, []string{text}).Settings("1.4.0", coder)
		want, _ := mustLoad(t, nil).Settings("1.4.0", coder)
		if diff := cmp.Diff(want, s); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

package agents_test

import (
	"bytes"
	"testing"

	"github.com/runkora/kora/operator/agents"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
)

// plain is an install that sets nothing.
func plain() agents.Settings {
	s := agents.Defaults("1.4.0")
	s.Slug, s.TypeID, s.Namespace = "coder", agents.DefaultTypeID("coder"), "kora-tenant-example"
	return s
}

// full sets everything that there is to set, in the shape of a scale-out install.
func full() agents.Settings {
	s := plain()
	s.TypeID = "01J9ZK3V7C2Q4M8N0P5R6S7T8V"
	s.PullSecrets = []string{"registry-b", "registry-a"}
	s.SessionManager, s.Sandbox = fullWorkload("kora"), fullWorkload("kora-sandbox")
	s.ServiceAccountAnnotations = map[string]string{"eks.amazonaws.com/role-arn": "arn:aws:iam::123456789012:role/kora-agent"}
	class := "shared-files"
	s.Workspace.StorageClassName = &class
	s.Workspace.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany}
	s.Workspace.Size = resource.MustParse("0.5Ti")
	s.SandboxSize = agents.Size{CPU: resource.MustParse("2500m"), Memory: resource.MustParse("12Gi"), Disk: resource.MustParse("19Gi")}
	s.SandboxMount = true
	s.Telemetry = agents.Telemetry{OTLPEndpoint: "http://otel-collector.observability.svc:4317", SamplingRate: "0.25"}
	return s
}

func fullWorkload(tier string) agents.Workload {
	grace := int64(30)
	return agents.Workload{
		NodeSelector: map[string]string{"workload-tier": tier},
		Tolerations: []corev1.Toleration{
			{Key: "workload-tier", Operator: corev1.TolerationOpEqual, Value: tier, Effect: corev1.TaintEffectNoSchedule},
			{Key: "spot", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &grace},
		},
		Affinity: &corev1.Affinity{
			NodeAffinity: spec("", all("topology.kubernetes.io/zone In a,b")).Affinity.NodeAffinity,
			PodAffinity:  &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{cacheTerm()}},
		},
		TopologySpreadConstraints: []corev1.TopologySpreadConstraint{
			{MaxSkew: 1, TopologyKey: "topology.kubernetes.io/zone", WhenUnsatisfiable: corev1.DoNotSchedule},
		},
		PriorityClassName: tier,
		PodLabels:         map[string]string{"cost-centre": "42"},
		PodAnnotations:    map[string]string{"backup.example/exclude": "true"},
	}
}

// cacheTerm is a pod affinity of the settings, to be kept beside the pin.
func cacheTerm() corev1.PodAffinityTerm {
	term := agents.PinTerm("other")
	term.TopologyKey = "topology.kubernetes.io/zone"
	return term
}

// variants are the settings that the tests of every object run over.
func variants() map[string]agents.Settings {
	readWriteOnce := full()
	readWriteOnce.Workspace.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
	readWriteOnce.Sandbox.NodeSelector = readWriteOnce.SessionManager.NodeSelector
	patched := plain()
	patched.Workspace.Claim = agents.Build(full()).Claim
	return map[string]agents.Settings{"plain": plain(), "full": full(), "pinned": readWriteOnce, "patched": patched}
}

// serializer decodes strictly, and encodes as YAML.
func serializer(t testing.TB) runtime.Serializer {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{appsv1.AddToScheme, autoscalingv2.AddToScheme, corev1.AddToScheme, policyv1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	return json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{Yaml: true, Strict: true})
}

// manifests is the objects' YAML, as a stream.
func manifests(t testing.TB, o agents.Objects) string {
	t.Helper()
	var out bytes.Buffer
	for _, object := range o.All() {
		out.WriteString("---\n")
		if err := serializer(t).Encode(object, &out); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

package injection

import (
	"encoding/json"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/operator/agents"
)

const tenant = "example"

func injector() *Injector {
	return New(Settings{Image: "ghcr.io/runkora/kora-enforcer:1.4.0", Sidecars: agents.Defaults("1.4.0").Sidecars})
}

func settings() agents.Settings {
	s := agents.Defaults("1.4.0")
	s.Slug, s.TypeID, s.Namespace = "coder", "type-7", "kora-tenant-"+tenant
	return s
}

// sandbox is the pod of a run, as kora-agents makes it.
func sandbox() *corev1.Pod { return agents.Build(settings()).Sandbox }

// sessionManager is the pod that the StatefulSet's controller makes of its template.
func sessionManager() *corev1.Pod { return replica(agents.Build(settings())) }

func replica(o agents.Objects) *corev1.Pod {
	set := o.StatefulSet
	pod := &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: *set.Spec.Template.ObjectMeta.DeepCopy(), Spec: *set.Spec.Template.Spec.DeepCopy()}
	pod.Name, pod.Namespace = set.Name+"-0", set.Namespace
	yes := true
	pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: set.Name, UID: "1", Controller: &yes}}
	pod.Labels["controller-revision-hash"] = set.Name + "-5d8f7"
	pod.Labels["statefulset.kubernetes.io/pod-name"] = pod.Name
	pod.Labels["apps.kubernetes.io/pod-index"] = "0"
	pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: "workspace", VolumeSource: corev1.VolumeSource{
		PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "workspace-" + pod.Name}}})
	return pod
}

// meshed is a pod as Istio's injector leaves it: a native sidecar, its validation,
// its volumes, and its labels and annotations.
func meshed(pod *corev1.Pod) *corev1.Pod {
	pod = pod.DeepCopy()
	always, id := corev1.ContainerRestartPolicyAlways, int64(1337)
	secure := &corev1.SecurityContext{RunAsUser: &id, RunAsGroup: &id, RunAsNonRoot: ptr(true), AllowPrivilegeEscalation: ptr(false), ReadOnlyRootFilesystem: ptr(true),
		Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}}, SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault}}
	pod.Spec.InitContainers = append([]corev1.Container{
		{Name: "istio-validation", Image: "docker.io/istio/proxyv2:1.31.1", SecurityContext: secure},
		{Name: "istio-proxy", Image: "docker.io/istio/proxyv2:1.31.1", SecurityContext: secure, RestartPolicy: &always,
			Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("128Mi")},
				Limits:   corev1.ResourceList{"cpu": resource.MustParse("2"), "memory": resource.MustParse("1Gi")}},
			VolumeMounts: []corev1.VolumeMount{{Name: "istio-token", MountPath: "/var/run/secrets/tokens"}, {Name: "workload-socket", MountPath: "/var/run/secrets/workload-spiffe-uds"}}},
	}, pod.Spec.InitContainers...)
	pod.Spec.Volumes = append(pod.Spec.Volumes,
		corev1.Volume{Name: "workload-socket", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
		corev1.Volume{Name: "istio-token", VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{{
			ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Audience: "istio-ca", Path: "istio-token"}}}}}})
	pod.Labels["security.istio.io/tlsMode"] = "istio"
	pod.Labels["service.istio.io/canonical-name"] = "kora-sandbox"
	if pod.Annotations == nil {
		pod.Annotations = map[string]string{}
	}
	pod.Annotations["sidecar.istio.io/status"] = `{"initContainers":["istio-validation","istio-proxy"],"containers":null,"volumes":["workload-socket","istio-token"],"imagePullSecrets":null,"revision":"default"}`
	pod.Annotations["istio.io/rev"] = "default"
	return pod
}

func text(t testing.TB, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// requested is what the scheduler counts for a pod: containers and the init
// containers that stay.
func requested(t testing.TB, pod *corev1.Pod) corev1.ResourceList {
	t.Helper()
	total := corev1.ResourceList{}
	add := func(c corev1.Container) {
		for name, q := range c.Resources.Requests {
			sum := total[name]
			sum.Add(q)
			total[name] = sum
		}
	}
	for _, c := range pod.Spec.Containers {
		add(c)
	}
	for _, c := range pod.Spec.InitContainers {
		if c.RestartPolicy != nil {
			add(c)
		} else if len(c.Resources.Requests) > 0 {
			t.Fatalf("%s runs first and requests something: count it", c.Name)
		}
	}
	return total
}

package agents

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// sessionManagerContainer multiplexes an agent's sessions over one workspace.
func sessionManagerContainer(s Settings) corev1.Container {
	return corev1.Container{
		Name:            SessionManagerContainer,
		Image:           s.Images.SessionManager,
		Ports:           []corev1.ContainerPort{containerPort(portHTTP, numberHTTP), containerPort(portMetrics, numberMetrics)},
		Env:             slices.Concat(commonEnv(s), telemetryEnv(s.Telemetry)),
		Resources:       sessionManagerResources(),
		StartupProbe:    probe("/healthz", 2, 60),
		LivenessProbe:   probe("/healthz", 10, 6),
		ReadinessProbe:  probe("/readyz", 5, 3),
		SecurityContext: containerSecurity(),
		VolumeMounts:    append([]corev1.VolumeMount{sessionManagerWorkspace(s)}, localMounts()...),
	}
}

// sessionManagerWorkspace lets mounts of the node come in under a sandbox mount:
// the node agent mounts each run's folder into the running pod (R57).
func sessionManagerWorkspace(s Settings) corev1.VolumeMount {
	mount := corev1.VolumeMount{Name: WorkspaceVolume, MountPath: WorkspacePath}
	if s.SandboxMount {
		mount.MountPropagation = ptr(corev1.MountPropagationHostToContainer)
	}
	return mount
}

// sessionManagerResources hold a few concurrent sessions; the autoscaler adds
// replicas before the CPU limit bites. The disk covers scratch, tmp and logs.
func sessionManagerResources() corev1.ResourceRequirements {
	return corev1.ResourceRequirements{
		Requests: resources(quantity("500m"), quantity("512Mi"), quantity("1Gi")),
		Limits:   resources(quantity("2"), quantity("2Gi"), quantity("4Gi")),
	}
}

// probe asks over HTTP every so many seconds, and gives up after that many failures.
func probe(path string, period, failures int32) *corev1.Probe {
	return &corev1.Probe{
		ProbeHandler: corev1.ProbeHandler{
			HTTPGet: &corev1.HTTPGetAction{Path: path, Port: intstr.FromString(portHTTP), Scheme: corev1.URISchemeHTTP},
		},
		PeriodSeconds:    period,
		TimeoutSeconds:   2,
		FailureThreshold: failures,
	}
}

func containerPort(name string, number int32) corev1.ContainerPort {
	return corev1.ContainerPort{Name: name, ContainerPort: number, Protocol: corev1.ProtocolTCP}
}

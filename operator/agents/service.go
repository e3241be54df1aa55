package agents

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Ports of the session-manager; probes and the Service name them.
const (
	portHTTP    = "http"
	portMetrics = "metrics"

	numberHTTP    = 8080
	numberMetrics = 9090
)

// service is headless: callers address one replica, which holds the session's
// workspace, by name, and only once that replica is ready.
func service(s Settings) *corev1.Service {
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: meta(s, baseLabels(s, nameAgent)),
		Spec: corev1.ServiceSpec{
			Type:                     corev1.ServiceTypeClusterIP,
			ClusterIP:                corev1.ClusterIPNone,
			PublishNotReadyAddresses: false,
			Selector:                 selector(s, ComponentSessionManager),
			Ports:                    []corev1.ServicePort{servicePort(portHTTP, numberHTTP), servicePort(portMetrics, numberMetrics)},
		},
	}
}

// servicePort says that it speaks HTTP: the mesh otherwise guesses.
func servicePort(name string, number int32) corev1.ServicePort {
	return corev1.ServicePort{
		Name:        name,
		Port:        number,
		TargetPort:  intstr.FromString(name),
		Protocol:    corev1.ProtocolTCP,
		AppProtocol: ptr("http"),
	}
}

// serviceAccount carries the agent's cloud identity, if it has one (R5). Kora's
// pods never talk to the Kubernetes API, so no token is mounted.
func serviceAccount(s Settings) *corev1.ServiceAccount {
	account := &corev1.ServiceAccount{
		TypeMeta:                     metav1.TypeMeta{APIVersion: "v1", Kind: "ServiceAccount"},
		ObjectMeta:                   meta(s, baseLabels(s, nameAgent)),
		AutomountServiceAccountToken: ptr(false),
	}
	account.Annotations = over(s.ServiceAccountAnnotations, nil)
	return account
}

func ptr[T any](v T) *T { return &v }

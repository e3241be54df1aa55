package agents

import (
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Object is what every Kubernetes object can do that callers need here.
type Object interface {
	metav1.Object
	runtime.Object
}

// Objects is what kora provisions for one agent type (R1): six objects, and the
// sandbox Pod of a sample run. A caller that wants no sandbox sets it nil.
type Objects struct {
	StatefulSet    *appsv1.StatefulSet
	Claim          *corev1.PersistentVolumeClaim
	Service        *corev1.Service
	ServiceAccount *corev1.ServiceAccount
	HPA            *autoscalingv2.HorizontalPodAutoscaler
	PDB            *policyv1.PodDisruptionBudget
	Sandbox        *corev1.Pod
}

// Build makes the objects that the settings ask for, before patches (R1, R4). It
// is pure: the same settings give equal objects, which share no memory with the
// settings or with those of another call. It checks nothing: see the package doc.
func Build(s Settings) Objects {
	claim := workspaceClaim(s)
	return Objects{
		ServiceAccount: serviceAccount(s),
		Service:        service(s),
		Claim:          claim,
		StatefulSet:    statefulSet(s, claim),
		HPA:            autoscaler(s),
		PDB:            disruptionBudget(s),
		Sandbox:        sandboxPod(s, claim),
	}
}

// All lists the objects that are not nil in a fixed order, in which each comes
// after what it refers to: ServiceAccount, Service, PersistentVolumeClaim,
// StatefulSet, HorizontalPodAutoscaler, PodDisruptionBudget, Pod.
func (o Objects) All() []Object {
	all := make([]Object, 0, 7)
	all = appendSet(all, o.ServiceAccount)
	all = appendSet(all, o.Service)
	all = appendSet(all, o.Claim)
	all = appendSet(all, o.StatefulSet)
	all = appendSet(all, o.HPA)
	all = appendSet(all, o.PDB)
	return appendSet(all, o.Sandbox)
}

// appendSet compares the pointer itself: a nil one inside an interface is not nil.
func appendSet[T any, P interface {
	*T
	Object
}](all []Object, object P) []Object {
	if object == nil {
		return all
	}
	return append(all, object)
}

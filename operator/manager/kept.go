package manager

import (
	"github.com/runkora/kora/operator/api/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// maxPorts is how many ports of a Service are kept, which has a few: no set of tools is
// found at those beyond.
const maxPorts = 256

// whereTo keeps of a Service what says where it leads: of its selector that it has one,
// and of its ports their numbers.
func whereTo(in any) (any, error) {
	s, is := in.(*corev1.Service)
	if !is {
		return in, nil
	}
	spec := corev1.ServiceSpec{Type: s.Spec.Type}
	if len(s.Spec.Selector) > 0 {
		spec.Selector = map[string]string{"": ""}
	}
	for _, p := range s.Spec.Ports[:min(maxPorts, len(s.Spec.Ports))] {
		spec.Ports = append(spec.Ports, corev1.ServicePort{Port: p.Port, Protocol: p.Protocol})
	}
	bare(s)
	s.Annotations, s.Labels, s.Spec, s.Status = nil, nil, spec, corev1.ServiceStatus{}
	return s, nil
}

// withoutHistory drops what is often the largest part of an object and that nobody reads:
// who wrote which field, and what kubectl applied last.
func withoutHistory(in any) (any, error) {
	if o, is := in.(metav1.Object); is {
		o.SetManagedFields(nil)
		delete(o.GetAnnotations(), corev1.LastAppliedConfigAnnotation)
	}
	return in, nil
}

// withoutRest keeps of the resources that a tenant's people make what the operator
// reads: admission bounds their specs and nothing else of them (see rules.Share). They
// are never updated as a whole, so that nothing is lost.
func withoutRest(in any) (any, error) {
	if o, is := in.(metav1.Object); is {
		bare(o)
		o.SetAnnotations(only(o.GetAnnotations(), v1alpha1.AnnotationMark))
		o.SetLabels(only(o.GetLabels(), v1alpha1.LabelManagedBy, v1alpha1.LabelTenant, v1alpha1.LabelBundled))
	}
	return in, nil
}

// bare drops lists of any length that nobody reads.
func bare(o metav1.Object) {
	o.SetManagedFields(nil)
	o.SetOwnerReferences(nil)
	o.SetFinalizers(nil)
}

// only keeps some keys, with values that are as short as the operator's own.
func only(of map[string]string, keys ...string) map[string]string {
	const longest = 128
	var kept map[string]string
	for _, key := range keys {
		if value, has := of[key]; has && len(value) <= longest {
			if kept == nil {
				kept = map[string]string{}
			}
			kept[key] = value
		}
	}
	return kept
}

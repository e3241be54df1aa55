package facts

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Injection is what Istio does about a pod that does not say itself, by the label or the
// annotation sidecar.istio.io/inject.
type Injection struct {
	// Policy is "enabled", or anything else: such a pod gets no sidecar.
	Policy string `json:"policy"`
	// Never and Always select pods to which the policy is nothing, Never first.
	Never  []metav1.LabelSelector `json:"neverInjectSelector,omitempty"`
	Always []metav1.LabelSelector `json:"alwaysInjectSelector,omitempty"`
}

// Injector is one of Istio's webhooks that put its sidecars into pods. A
// MutatingWebhookConfiguration has several, each for other labels.
type Injector struct {
	Config   string `json:"config"` // the MutatingWebhookConfiguration that it stands in
	Webhook  string `json:"webhook"`
	Revision string `json:"revision"` // that it leads to
	// Tag is a stable name of that revision, if the webhook is of one.
	Tag string `json:"tag,omitempty"`
	// Namespace is that of the Service that answers; empty: it is reached by a URL.
	Namespace string `json:"namespace,omitempty"`
	// Namespaces and Pods are its selectors; nil takes all.
	Namespaces *metav1.LabelSelector `json:"namespaceSelector,omitempty"`
	Pods       *metav1.LabelSelector `json:"objectSelector,omitempty"`
}

package facts

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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

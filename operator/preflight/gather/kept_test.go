package gather

import (
	"fmt"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// R55: names and taints count as labels do, and so do Istio's tags and versions and
// the nodes of a DaemonSet: lists without an end are told.
func TestWhatIsKeptIsBounded(t *testing.T) {
	const webhooks = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations?istio.io/rev"
	long := strings.Repeat("x", 1<<20)
	for path, item := range map[string]func(int) any{
		"/api/v1/nodes": func(i int) any {
			return corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint(i)}, Spec: corev1.NodeSpec{Taints: []corev1.Taint{{Key: long}}}}
		},
		"/apis/storage.k8s.io/v1/storageclasses": func(i int) any {
			return storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint(i) + long}}
		},
		webhooks: func(i int) any {
			return admissionv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"istio.io/rev": "r", "istio.io/tag": fmt.Sprint(i) + long}}}
		},
		webhooks + "#": func(i int) any {
			to := &admissionv1.ServiceReference{Namespace: fmt.Sprint(i) + long}
			return admissionv1.MutatingWebhookConfiguration{Webhooks: []admissionv1.MutatingWebhook{{Name: "sidecar-injector.istio.io", ClientConfig: admissionv1.WebhookClientConfig{Service: to}}}}
		},
		webhooks + "##": func(int) any {
			by := &metav1.LabelSelector{MatchLabels: map[string]string{"a": long}}
			return admissionv1.MutatingWebhookConfiguration{Webhooks: []admissionv1.MutatingWebhook{{Name: "sidecar-injector.istio.io", ObjectSelector: by}}}
		},
		"/api/v1/pods?app=istiod": func(i int) any {
			return pod("istio-system", fmt.Sprint(i), "n", "example.com/pilot:1.31."+strings.Repeat("1", 1<<20)+fmt.Sprint(i), nil)
		},
		"/api/v1/pods?app=istiod#": func(i int) any {
			return pod("istio-system", fmt.Sprint(i), "n", "", map[string]string{"istio.io/rev": fmt.Sprint(i) + long})
		},
		"/api/v1/namespaces/kube-system/pods?app=spire-agent": func(i int) any {
			return pod("kube-system", fmt.Sprint(i), fmt.Sprint(i)+long, "example.com/spire-agent:1", nil)
		},
	} {
		path, _, _ = strings.Cut(path, "#") // the same list, of other items
		agent := appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: "spire-agent"}, Spec: appsv1.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "spire-agent"}},
			Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Image: "example.com/spire-agent:1"}}}},
		}}
		s := &server{lists: map[string]list{"/apis/apps/v1/daemonsets": items(agent), path: {n: 110, item: item}}}
		f := s.look(t, Request{Settings: settings(), Checks: []string{"node-daemons", "storage-class", "istio-version"}})
		if !strings.Contains(f.Nodes.Missing+f.StorageClasses.Missing+f.Tags.Missing+f.Revisions.Missing+f.DaemonSets.Missing, "more than 96 MiB of what is kept") {
			t.Errorf("%s: %.200s %.200s %.200s %.200s %.200s", path, f.Nodes.Missing, f.StorageClasses.Missing, f.Tags.Missing, f.Revisions.Missing, f.DaemonSets.Missing)
		}
	}
}

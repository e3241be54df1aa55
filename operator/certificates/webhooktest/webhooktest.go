// Package webhooktest serves the operator's webhooks to a real API server, with the
// chart's configurations and the operator's rights: tests of what they answer, and
// of how they come to be trusted.
package webhooktest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/admission"
	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/certificates"
	"github.com/runkora/kora/operator/door"
	"github.com/runkora/kora/operator/injection"
	"github.com/runkora/kora/operator/manager"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/rules"
)

// port stands for the Service's 443, which only root may listen on.
const port = 9443

// Hooks are the operator's webhooks in a cluster with the chart's configurations.
type Hooks struct {
	*operatortest.World
	Address      string                // the Service's
	Certificates certificates.Settings // for the next Start
	Port         int                   // that the next Start listens on
}

// New gives a cluster as the chart leaves it: no Secret, no caBundle, no
// failurePolicy of the operator's, a Service without an endpoint.
func New(t testing.TB) *Hooks {
	t.Helper()
	h := &Hooks{World: operatortest.New(t, nil), Port: port, Certificates: certificates.Settings{Namespace: operatortest.System, Period: 100 * time.Millisecond, Settle: 300 * time.Millisecond, Absent: 500 * time.Millisecond}}
	h.clean(t)
	t.Cleanup(func() { h.clean(t) })
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: operatortest.System, Name: "kora-operator"},
		Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: port}}}}
	if err := h.Admin.Create(t.Context(), service); err != nil {
		t.Fatal(err)
	}
	h.Address = service.Spec.ClusterIP
	for _, o := range operatortest.Rendered(t, nil, "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration") {
		all, _, _ := unstructured.NestedSlice(o.Object, "webhooks")
		for _, one := range all {
			_ = unstructured.SetNestedField(one.(map[string]any), int64(port), "clientConfig", "service", "port")
		}
		_ = unstructured.SetNestedSlice(o.Object, all, "webhooks")
		h.Apply(t, o)
	}
	return h
}

func (h *Hooks) clean(t testing.TB) {
	t.Helper()
	named := metav1.ObjectMeta{Namespace: operatortest.System, Name: "kora-operator"}
	for _, o := range []client.Object{
		&admissionv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "kora-operator"}},
		&admissionv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "kora-operator"}},
		&corev1.Service{ObjectMeta: named}, &discoveryv1.EndpointSlice{ObjectMeta: named},
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: operatortest.System, Name: rules.WebhookCASecret}},
	} {
		if err := h.Admin.Delete(context.Background(), o); client.IgnoreNotFound(err) != nil {
			t.Fatal(err)
		}
	}
}

// setup hides that the webhooks have a say in readiness: a test asks them itself.
type setup func(ctrl.Manager) error

func (s setup) SetupWithManager(mgr ctrl.Manager) error { return s(mgr) }

// Start runs the webhooks, and gives them and what stops them.
func (h *Hooks) Start(t testing.TB) (*certificates.Hooks, *operatortest.Run) {
	t.Helper()
	certs := certificates.New(h.Certificates)
	run := h.StartWith(t, manager.Options{
		Webhooks: door.New(door.Options{Host: h.Address, Port: h.Port, TLS: certs.TLS()}),
		Parts: []manager.Part{
			setup(certs.SetupWithManager),
			admission.New(rules.Platform{SystemNamespace: operatortest.System, Base: "kora-base", Bundled: []string{"kora-base", "kora-go"}}),
			injection.New(injection.Settings{Image: h.Settings.Enforcer, Sidecars: agents.Sidecars{CPU: h.Settings.Sidecars.CPU, Memory: h.Settings.Sidecars.Memory}}),
		},
	})
	return certs, run
}

// Endpoint says that the Service has one that is ready, or none.
func (h *Hooks) Endpoint(t testing.TB, ready bool) {
	t.Helper()
	slice := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "addressType": "IPv4",
		"metadata":  map[string]any{"namespace": operatortest.System, "name": "kora-operator", "labels": map[string]any{discoveryv1.LabelServiceName: "kora-operator"}},
		"endpoints": []any{map[string]any{"addresses": []any{"10.1.2.3"}, "conditions": map[string]any{"ready": ready}}},
	}}
	h.Apply(t, slice)
}

// Up starts the webhooks and waits until they refuse.
func (h *Hooks) Up(t testing.TB) (*certificates.Hooks, *operatortest.Run) {
	t.Helper()
	certs, run := h.Start(t)
	h.Endpoint(t, true)
	operatortest.Eventually(t, func() error { return certs.Ready(t.Context()) })
	h.Policies(t, "Fail Fail")
	return certs, run
}

// Entries are the webhooks of both configurations.
func (h *Hooks) Entries(t testing.TB) (policies string, bundles [2]string) {
	t.Helper()
	v, m := &admissionv1.ValidatingWebhookConfiguration{}, &admissionv1.MutatingWebhookConfiguration{}
	for _, o := range []client.Object{v, m} {
		if err := h.Admin.Get(t.Context(), client.ObjectKey{Name: "kora-operator"}, o); err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprint(*v.Webhooks[0].FailurePolicy, " ", *m.Webhooks[0].FailurePolicy), [2]string{string(v.Webhooks[0].ClientConfig.CABundle), string(m.Webhooks[0].ClientConfig.CABundle)}
}

// Policies waits for the failure policies of both configurations, "Fail Fail".
func (h *Hooks) Policies(t testing.TB, want string) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		if got, _ := h.Entries(t); got != want {
			return fmt.Errorf("failurePolicy is %s and not %s", got, want)
		}
		return nil
	})
}

// Refused asks in a dry run for what the webhook refuses, and gives what came back
// when it was anything else than its denial.
func (h *Hooks) Refused(t testing.TB) error {
	t.Helper()
	err := h.Admin.Create(t.Context(), Image("default", "team"), client.DryRunAll)
	if err == nil {
		return errors.New("taken")
	}
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "is no tenant's") {
		return err
	}
	return nil
}

// Image is a valid SandboxImage.
func Image(namespace, name string) *v1alpha1.SandboxImage {
	return &v1alpha1.SandboxImage{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: v1alpha1.SandboxImageSpec{Image: "ghcr.io/team/image:1"}}
}

// Said waits for an event about the webhooks.
func (h *Hooks) Said(t testing.TB, reason string) {
	t.Helper()
	h.SaidWith(t, reason, "")
}

// SaidWith waits for an event about the webhooks that says a text.
func (h *Hooks) SaidWith(t testing.TB, reason, text string) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		var all corev1.EventList
		if err := h.Cluster.Client().CoreV1().RESTClient().Get().Resource("events").Namespace(operatortest.System).Do(t.Context()).Into(&all); err != nil {
			return err
		}
		for _, e := range all.Items {
			if e.Reason == reason && e.InvolvedObject.Name == "kora-operator" && strings.Contains(e.Message, text) {
				return nil
			}
		}
		return fmt.Errorf("no event %s (%q) among %d", reason, text, len(all.Items))
	})
}

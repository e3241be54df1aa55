package certificates_test

import (
	"context"
	"errors"
	"fmt"
	"os"
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
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/admission"
	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/certificates"
	"github.com/runkora/kora/operator/injection"
	"github.com/runkora/kora/operator/manager"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/rules"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

// port stands for the Service's 443, which only root may listen on.
const port = 9443

// hooks is the operator's webhooks in a cluster with the chart's configurations.
type hooks struct {
	*operatortest.World
	address  string // the Service's
	settings certificates.Settings
	port     int
}

// newHooks gives a cluster as the chart leaves it: no Secret, no caBundle, no
// failurePolicy of the operator's, a Service without an endpoint.
func newHooks(t *testing.T) *hooks {
	t.Helper()
	h := &hooks{World: operatortest.New(t, nil), port: port, settings: certificates.Settings{Namespace: operatortest.System, Period: 100 * time.Millisecond, Settle: 300 * time.Millisecond, Absent: 500 * time.Millisecond}}
	h.clean(t)
	t.Cleanup(func() { h.clean(t) })
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: operatortest.System, Name: "kora-operator"},
		Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: port}}}}
	if err := h.Admin.Create(t.Context(), service); err != nil {
		t.Fatal(err)
	}
	h.address = service.Spec.ClusterIP
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

func (h *hooks) clean(t *testing.T) {
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

// start runs the webhooks, and gives them and what stops them.
func (h *hooks) start(t *testing.T) (*certificates.Hooks, *operatortest.Run) {
	t.Helper()
	certs := certificates.New(h.settings)
	run := h.StartWith(t, manager.Options{
		Webhooks: webhook.NewServer(webhook.Options{Host: h.address, Port: h.port, TLSOpts: certs.TLS()}),
		Parts: []manager.Part{
			setup(certs.SetupWithManager),
			admission.New(rules.Platform{SystemNamespace: operatortest.System, Bundled: []string{"kora-base"}}),
			injection.New(injection.Settings{Image: h.Settings.Enforcer, Sidecars: agents.Sidecars{CPU: h.Settings.Sidecars.CPU, Memory: h.Settings.Sidecars.Memory}}),
		},
	})
	return certs, run
}

// endpoint says that the Service has one that is ready, or none.
func (h *hooks) endpoint(t *testing.T, ready bool) {
	t.Helper()
	slice := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "addressType": "IPv4",
		"metadata":  map[string]any{"namespace": operatortest.System, "name": "kora-operator", "labels": map[string]any{discoveryv1.LabelServiceName: "kora-operator"}},
		"endpoints": []any{map[string]any{"addresses": []any{"10.1.2.3"}, "conditions": map[string]any{"ready": ready}}},
	}}
	h.Apply(t, slice)
}

// up starts the webhooks and waits until they refuse.
func (h *hooks) up(t *testing.T) (*certificates.Hooks, *operatortest.Run) {
	t.Helper()
	certs, run := h.start(t)
	h.endpoint(t, true)
	operatortest.Eventually(t, func() error { return certs.Ready(t.Context()) })
	h.policies(t, "Fail Fail")
	return certs, run
}

// entries are the webhooks of both configurations.
func (h *hooks) entries(t *testing.T) (policies string, bundles [2]string) {
	t.Helper()
	v, m := &admissionv1.ValidatingWebhookConfiguration{}, &admissionv1.MutatingWebhookConfiguration{}
	for _, o := range []client.Object{v, m} {
		if err := h.Admin.Get(t.Context(), client.ObjectKey{Name: "kora-operator"}, o); err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprint(*v.Webhooks[0].FailurePolicy, " ", *m.Webhooks[0].FailurePolicy), [2]string{string(v.Webhooks[0].ClientConfig.CABundle), string(m.Webhooks[0].ClientConfig.CABundle)}
}

func (h *hooks) policies(t *testing.T, want string) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		if got, _ := h.entries(t); got != want {
			return fmt.Errorf("failurePolicy is %s and not %s", got, want)
		}
		return nil
	})
}

// refused asks in a dry run for what the webhook refuses, and gives what came back
// when it was anything else than its denial.
func (h *hooks) refused(t *testing.T) error {
	t.Helper()
	err := h.Admin.Create(t.Context(), image("default", "team"), client.DryRunAll)
	if err == nil {
		return errors.New("taken")
	}
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "is no tenant's") {
		return err
	}
	return nil
}

func image(namespace, name string) *v1alpha1.SandboxImage {
	return &v1alpha1.SandboxImage{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: v1alpha1.SandboxImageSpec{Image: "ghcr.io/team/image:1"}}
}

// said waits for an event about the webhooks.
func (h *hooks) said(t *testing.T, reason string) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		var all corev1.EventList
		if err := h.Cluster.Client().CoreV1().RESTClient().Get().Resource("events").Namespace(operatortest.System).Do(t.Context()).Into(&all); err != nil {
			return err
		}
		for _, e := range all.Items {
			if e.Reason == reason && e.InvolvedObject.Name == "kora-operator" {
				return nil
			}
		}
		return fmt.Errorf("no event %s among %d", reason, len(all.Items))
	})
}

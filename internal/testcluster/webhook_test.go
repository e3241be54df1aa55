package testcluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestWebhookBehindAServiceIsCalledOnThisMachine proves what the loopback
// service range is for.
func TestWebhookBehindAServiceIsCalledOnThisMachine(t *testing.T) {
	c := Shared(t)
	namespace := c.Namespace(t, Restricted)
	service, err := c.Client().CoreV1().Services(namespace).Create(t.Context(), &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: "hook"}, Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 8443}}}}, create)
	if err != nil {
		t.Fatal(err)
	}
	bundle := refuseAll(t, net.JoinHostPort(service.Spec.ClusterIP, "8443"), "hook."+namespace+".svc")
	hooks := c.Client().AdmissionregistrationV1().ValidatingWebhookConfigurations()
	if _, err := hooks.Create(t.Context(), configMapHook(namespace, bundle), create); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = hooks.Delete(context.Background(), namespace, metav1.DeleteOptions{}) })
	eventually(t, c, "the webhook to refuse", func(ctx context.Context) error {
		_, err := c.Client().CoreV1().ConfigMaps(namespace).Create(ctx,
			&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "c-"}}, create)
		if err == nil {
			return errors.New("not called yet")
		}
		if !strings.Contains(err.Error(), "not today") {
			return err
		}
		return nil
	})
}

// refuseAll serves TLS as host at address and refuses whatever it is asked.
func refuseAll(t *testing.T, address, host string) (bundle []byte) {
	t.Helper()
	keys := pki{t.TempDir()}
	ca, err := keys.newSigner("ca")
	if err != nil {
		t.Fatal(err)
	}
	if err := ca.issue(host, host); err != nil {
		t.Fatal(err)
	}
	pair, err := tls.LoadX509KeyPair(keys.path(host+".crt"), keys.path(host+".key"))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := tls.Listen("tcp", address, &tls.Config{Certificates: []tls.Certificate{pair}})
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(refuse)}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	bundle, err = os.ReadFile(keys.path("ca.crt"))
	if err != nil || !x509.NewCertPool().AppendCertsFromPEM(bundle) {
		t.Fatalf("no bundle: %v", err)
	}
	return bundle
}

func refuse(w http.ResponseWriter, r *http.Request) {
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil || review.Request == nil {
		http.Error(w, "no review", http.StatusBadRequest)
		return
	}
	review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Result: &metav1.Status{Message: "not today"}}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review)
}

// configMapHook asks about the config maps of one namespace only.
func configMapHook(namespace string, bundle []byte) *admissionregistrationv1.ValidatingWebhookConfiguration {
	return &admissionregistrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: namespace},
		Webhooks: []admissionregistrationv1.ValidatingWebhook{{
			Name:                    "hook.testcluster.runkora.io",
			AdmissionReviewVersions: []string{"v1"}, SideEffects: ptr(admissionregistrationv1.SideEffectClassNone),
			NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{corev1.LabelMetadataName: namespace}},
			ClientConfig: admissionregistrationv1.WebhookClientConfig{CABundle: bundle,
				Service: &admissionregistrationv1.ServiceReference{Namespace: namespace, Name: "hook", Port: ptr(int32(8443))}},
			Rules: []admissionregistrationv1.RuleWithOperations{{Operations: []admissionregistrationv1.OperationType{"CREATE"},
				Rule: admissionregistrationv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"configmaps"}}}},
		}},
	}
}

package certificates_test

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/rules"
)

// R54: nothing is refused before the webhook is proved to serve; then it refuses,
// by its own words; caBundle and failurePolicy are each written alone.
func TestWebhooksRefuseOnceTheyAreProvedToServe(t *testing.T) {
	h := newHooks(t)
	if got, _ := h.Entries(t); got != "Fail Fail" {
		t.Fatalf("the chart leaves %s", got)
	}
	certs, _ := h.Start(t)
	if certs.Ready(t.Context()) == nil {
		t.Error("ready before anything was made")
	}
	operatortest.Eventually(t, func() error { return certs.Ready(t.Context()) })
	h.Policies(t, "Ignore Ignore") // no endpoint: nobody could be asked
	h.Endpoint(t, true)
	h.Policies(t, "Fail Fail")
	h.Said(t, "WebhooksEnforced")
	if err := h.Refused(t); err != nil {
		t.Error(err)
	}
	v := &admissionv1.ValidatingWebhookConfiguration{}
	if err := h.Admin.Get(t.Context(), client.ObjectKey{Name: "kora-operator"}, v); err != nil {
		t.Fatal(err)
	}
	owned := map[string]string{}
	for _, m := range v.ManagedFields {
		owned[m.Manager] = m.FieldsV1.GetRawString()
	}
	for manager, field := range map[string]string{"kora-operator-ca-bundle": `{"f:webhooks":{"k:{\"name\":\"validate.runkora.io\"}":{".":{},"f:clientConfig":{"f:caBundle":{}},"f:name":{}}}}`,
		"kora-operator-failure-policy": `{"f:webhooks":{"k:{\"name\":\"validate.runkora.io\"}":{".":{},"f:failurePolicy":{},"f:name":{}}}}`} {
		if owned[manager] != field {
			t.Errorf("%s owns %s", manager, owned[manager])
		}
	}
	h.rests(t)
}

// rests: in the steady state nothing is written (R54).
func (h *hooks) rests(t *testing.T) {
	t.Helper()
	h.Requests.Reset()
	time.Sleep(20 * h.Certificates.Period)
	if writes := h.Requests.Writes(); len(writes) > 0 {
		t.Errorf("in the steady state: %v", writes)
	}
	if reads := h.Requests.Reads(); reads > 2 {
		t.Errorf("in the steady state %d reads", reads)
	}
}

// R54: the authority's key is in the Secret alone, and the certificate that is
// served is by it, for the Service's name, and in memory.
func TestServedCertificateIsOfTheSecretsAuthority(t *testing.T) {
	h := newHooks(t)
	h.Up(t)
	secret := &corev1.Secret{}
	if err := h.Admin.Get(t.Context(), client.ObjectKey{Namespace: operatortest.System, Name: rules.WebhookCASecret}, secret); err != nil {
		t.Fatal(err)
	}
	_, bundles := h.Entries(t)
	if bundles[0] != bundles[1] || bundles[0] != string(secret.Data["ca.crt"]) || strings.Contains(bundles[0], "KEY") {
		t.Errorf("caBundle is not the authority's certificate: %q", bundles)
	}
	conn, err := h.dial(t)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	state := conn.ConnectionState()
	if state.Version != tls.VersionTLS13 || len(state.PeerCertificates) != 1 || state.PeerCertificates[0].IsCA {
		t.Errorf("%x with %d certificates", state.Version, len(state.PeerCertificates))
	}
	for key, value := range secret.Data {
		if bytes.Contains(value, []byte("PRIVATE")) && key != "ca.key" {
			t.Errorf("a key in %s", key)
		}
	}
}

// R54: what somebody else writes over the two fields, or into the Secret, is put
// right at the next step, and not when the Secret is read anyway; also when it is gone,
// each time: until then a person who revokes an authority would wait.
func TestOtherWritersAreOverwritten(t *testing.T) {
	h := newHooks(t)
	h.Certificates.Reread = time.Hour
	certs, _ := h.Up(t)
	for name, patch := range map[string]string{
		"validating": `{"webhooks":[{"name":"validate.runkora.io","failurePolicy":"Ignore","clientConfig":{"caBundle":"Q0E="}}]}`,
		"mutating":   `{"webhooks":[{"name":"inject.runkora.io","failurePolicy":"Ignore","clientConfig":{"caBundle":null}}]}`,
	} {
		var o client.Object = &admissionv1.ValidatingWebhookConfiguration{}
		if name == "mutating" {
			o = &admissionv1.MutatingWebhookConfiguration{}
		}
		o.SetName("kora-operator")
		if err := h.Admin.Patch(t.Context(), o, client.RawPatch(types.StrategicMergePatchType, []byte(patch))); err != nil {
			t.Fatal(err)
		}
		operatortest.Eventually(t, func() error {
			policies, bundles := h.Entries(t)
			if policies != "Fail Fail" || bundles[0] != bundles[1] || !strings.Contains(bundles[0], "BEGIN") {
				return fmt.Errorf("%s %q", policies, bundles)
			}
			return h.Refused(t)
		})
	}
	secret := &corev1.Secret{}
	secret.Namespace, secret.Name = operatortest.System, rules.WebhookCASecret
	for _, data := range []map[string]any{{"ca.key": nil}, {"ca.crt": "Z2FyYmFnZQ=="}, {"next.crt": "LS0t", "previous.crt": "eA=="}} {
		text, _ := json.Marshal(map[string]any{"data": data})
		if err := h.Admin.Patch(t.Context(), secret, client.RawPatch(types.MergePatchType, text)); err != nil {
			t.Fatal(err)
		}
		operatortest.Eventually(t, func() error { return h.sound(t) })
	}
	for range 3 {
		_, revoked := h.Entries(t)
		if err := h.Admin.Delete(t.Context(), secret); err != nil {
			t.Fatal(err)
		}
		operatortest.Eventually(t, func() error {
			if _, bundles := h.Entries(t); bundles[0] == revoked[0] {
				return fmt.Errorf("what was revoked is trusted still")
			}
			return h.sound(t)
		})
		operatortest.Eventually(t, func() error { return certs.Ready(t.Context()) })
	}
}

// sound gives nil when the Secret is whole, trusted, and the webhook refuses.
func (h *hooks) sound(t *testing.T) error {
	t.Helper()
	secret := &corev1.Secret{}
	if err := h.Admin.Get(t.Context(), client.ObjectKey{Namespace: operatortest.System, Name: rules.WebhookCASecret}, secret); err != nil {
		return err
	}
	if _, err := tls.X509KeyPair(secret.Data["ca.crt"], secret.Data["ca.key"]); err != nil {
		return err
	}
	if n := len(secret.Data["next.crt"]) + len(secret.Data["next.key"]); n > 0 {
		return fmt.Errorf("a next authority of %d bytes", n)
	}
	if _, bundles := h.Entries(t); bundles[0] != string(secret.Data["ca.crt"]) || bundles[1] != bundles[0] {
		return fmt.Errorf("caBundle is not the Secret's")
	}
	return h.Refused(t)
}

// R54: with no endpoint for a while the webhooks may be passed by, with an event,
// and as soon as there is one they are proved again. A short gap changes nothing.
func TestOutageOpensTheWebhooksAndTheirReturnClosesThem(t *testing.T) {
	h := newHooks(t)
	h.Certificates.Absent = 2 * time.Second
	h.Up(t)
	h.Endpoint(t, false)
	time.Sleep(h.Certificates.Absent / 4)
	h.Endpoint(t, true)
	time.Sleep(h.Certificates.Absent)
	h.Policies(t, "Fail Fail")
	h.Endpoint(t, false)
	h.Policies(t, "Ignore Ignore")
	h.Said(t, "WebhooksIgnored")
	h.Endpoint(t, true)
	h.Policies(t, "Fail Fail")
	if err := h.Refused(t); err != nil {
		t.Error(err)
	}
}

// R54: an operator that is gone fails closed, and one that starts again opens no
// gap: what was proved stays in force.
func TestRestartOpensNoGap(t *testing.T) {
	h := newHooks(t)
	_, run := h.Up(t)
	if err := run.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := h.Refused(t); err == nil || !strings.Contains(err.Error(), "failed calling webhook") {
		t.Fatalf("with nobody there: %v", err)
	}
	h.Requests.Reset()
	certs, _ := h.Start(t)
	operatortest.Eventually(t, func() error { return certs.Ready(t.Context()) })
	operatortest.Eventually(t, func() error { return h.Refused(t) })
	if writes := h.Requests.Writes(); len(writes) > 0 {
		t.Errorf("a restart wrote %v", writes)
	}
}

// R54: two operators that both believe to lead end with one authority, and both
// serve by it.
func TestTwoLeadersAgree(t *testing.T) {
	h := newHooks(t)
	first, _ := h.Start(t)
	h.Port++
	second, _ := h.Start(t)
	h.Endpoint(t, true)
	operatortest.Eventually(t, func() error { return first.Ready(t.Context()) })
	operatortest.Eventually(t, func() error { return second.Ready(t.Context()) })
	operatortest.Eventually(t, func() error { // until the slower one has its proof as well
		h.Requests.Reset()
		time.Sleep(10 * h.Certificates.Period)
		if writes := h.Requests.Writes(); len(writes) > 0 {
			return fmt.Errorf("still at it: %v", writes)
		}
		return nil
	})
	h.Policies(t, "Fail Fail")
	h.rests(t)
	if err := h.sound(t); err != nil {
		t.Error(err)
	}
}

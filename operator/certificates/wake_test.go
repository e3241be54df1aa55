package certificates_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/rules"
)

// R54: a replica serves what is trusted as soon as the leader has made it so, at first
// and after somebody ended all trust in the authority; not when it would have looked
// anyway, which is an hour later here.
func TestTheLeafHearsOfTheAuthority(t *testing.T) {
	h := newHooks(t)
	h.Certificates.Period = time.Hour
	certs, _ := h.Start(t)
	operatortest.Eventually(t, func() error { return certs.Ready(t.Context()) })
	operatortest.Eventually(t, func() error { return h.served(t) })
	_, revoked := h.Entries(t)
	secret := &corev1.Secret{}
	secret.Namespace, secret.Name = operatortest.System, rules.WebhookCASecret
	if err := h.Admin.Delete(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	operatortest.Eventually(t, func() error {
		if _, now := h.Entries(t); now[0] == revoked[0] {
			return errors.New("what was revoked is trusted still")
		}
		return h.served(t)
	})
	operatortest.Eventually(t, func() error { return certs.Ready(t.Context()) })
}

// served gives nil when the server's certificate is of caBundle.
func (h *hooks) served(t *testing.T) error {
	t.Helper()
	conn, err := h.dial(t)
	if err != nil {
		return err
	}
	return conn.Close()
}

// dial connects as the API server does: it trusts caBundle alone.
func (h *hooks) dial(t *testing.T) (*tls.Conn, error) {
	t.Helper()
	_, bundles := h.Entries(t)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(bundles[0]))
	return tls.Dial("tcp", fmt.Sprintf("%s:%d", h.Address, h.Port), &tls.Config{RootCAs: roots, ServerName: "kora-operator.kora-system.svc"})
}

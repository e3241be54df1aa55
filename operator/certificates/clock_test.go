package certificates_test

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/rules"
)

const day = 24 * time.Hour

// R54: through a whole rotation no call is lost: each is refused by the webhook
// itself. The old and the new authority are both trusted while the certificates
// change, and the old one is forgotten when it has ended.
//
// The API server's clock cannot be set, so the operator's is: back to where what
// it makes is valid for both.
func TestRotationLosesNoCall(t *testing.T) {
	h := newHooks(t)
	now := clocktesting.NewFakePassiveClock(time.Now().Add(-300 * day))
	h.Certificates.Clock, h.Certificates.AuthorityLife, h.Certificates.LeafLife = now, 365*day, 365*day
	h.Certificates.Settle = time.Hour
	registry := prometheus.NewRegistry()
	h.Certificates.Metrics = registry
	h.Up(t)
	if left := days(t, registry, "authority"); left < 364.9 || left > 365 {
		t.Errorf("%v days left", left)
	}
	_, first := h.Entries(t)
	stop, calls := h.calling(t)

	now.SetTime(now.Now().Add(244 * day)) // two thirds of 365
	h.bundle(t, 2)
	_, both := h.Entries(t)
	if !strings.HasPrefix(both[0], first[0]) || both[0] != both[1] {
		t.Error("the new authority does not stand behind the old one in every entry")
	}
	time.Sleep(10 * h.Certificates.Period) // the leader sees what it wrote
	now.SetTime(now.Now().Add(59 * time.Minute))
	time.Sleep(10 * h.Certificates.Period)
	if _, still := h.Entries(t); still != both {
		t.Error("the new authority signs before every API server has seen it")
	}
	now.SetTime(now.Now().Add(h.Certificates.Settle)) // since the leader has seen it, at the latest a moment ago
	operatortest.Eventually(t, func() error {
		if _, swapped := h.Entries(t); strings.HasPrefix(swapped[0], first[0]) || !strings.HasSuffix(swapped[0], first[0]) {
			return errWait
		}
		return nil
	})
	operatortest.Eventually(t, func() error {
		if left := days(t, registry, "leaf"); left < 364 {
			return errWait // still of the old authority
		}
		return nil
	})
	now.SetTime(now.Now().Add(122 * day)) // past the end of the old one, by the operator's clock
	h.bundle(t, 1)
	if lost := stop(); lost != nil || calls.Load() < 20 {
		t.Errorf("after %d calls: %v", calls.Load(), lost)
	}
}

// R54: a clock that jumps ahead for years, and back, leaves nothing broken.
func TestClockJumpsHeal(t *testing.T) {
	h := newHooks(t)
	start := time.Now()
	now := clocktesting.NewFakePassiveClock(start)
	h.Certificates.Clock = now
	certs, _ := h.Up(t)
	for _, jump := range []time.Duration{5000 * day, -5000 * day, 2 * time.Hour, -2 * time.Hour, 364 * day, 366 * day, 0, time.Minute} {
		now.SetTime(start.Add(jump))
		operatortest.Eventually(t, func() error { return h.of(t, now.Now()) })
		operatortest.Eventually(t, func() error { return certs.Ready(t.Context()) }) // by its own clock
	}
	operatortest.Eventually(t, func() error { return h.Refused(t) })
	h.Policies(t, "Fail Fail")
	h.rests(t)
}

// of gives nil once the authorities in the Secret are of a time and every caBundle
// holds just them. Ready alone may still be what was judged before the clock jumped.
func (h *hooks) of(t *testing.T, now time.Time) error {
	secret := &corev1.Secret{}
	if err := h.Admin.Get(t.Context(), client.ObjectKey{Namespace: operatortest.System, Name: rules.WebhookCASecret}, secret); err != nil {
		return err
	}
	var trusted []byte
	for _, key := range []string{"ca.crt", "next.crt", "previous.crt"} {
		for block, rest := pem.Decode(secret.Data[key]); block != nil; block, rest = pem.Decode(rest) {
			cert, err := x509.ParseCertificate(block.Bytes)
			if err != nil {
				return err
			}
			if now.After(cert.NotAfter) || key != "previous.crt" && now.Before(cert.NotBefore) {
				return fmt.Errorf("%s is of %s to %s at %s", key, cert.NotBefore, cert.NotAfter, now)
			}
		}
		trusted = append(trusted, secret.Data[key]...)
	}
	if _, bundles := h.Entries(t); bundles[0] != string(trusted) || bundles[1] != string(trusted) {
		return errWait
	}
	return nil
}

var errWait = waiting("not yet")

type waiting string

func (w waiting) Error() string { return string(w) }

// bundle waits until every caBundle has so many certificates.
func (h *hooks) bundle(t *testing.T, want int) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		_, bundles := h.Entries(t)
		for _, b := range bundles {
			if strings.Count(b, "BEGIN CERTIFICATE") != want {
				return errWait
			}
		}
		return nil
	})
}

// calling asks the webhook again and again until it is stopped, and keeps the
// first answer that was not its denial.
func (h *hooks) calling(t *testing.T) (stop func() error, calls *atomic.Int64) {
	done, lost := make(chan struct{}), make(chan error, 1)
	calls = &atomic.Int64{}
	go func() {
		var first error
		for {
			select {
			case <-done:
				lost <- first
				return
			case <-time.After(10 * time.Millisecond):
			}
			calls.Add(1)
			if err := h.Refused(t); err != nil && first == nil {
				first = err
			}
		}
	}()
	return func() error { close(done); return <-lost }, calls
}

// days reads the metric.
func days(t *testing.T, from prometheus.Gatherer, certificate string) float64 {
	t.Helper()
	families, err := from.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.Metric {
			if f.GetName() == "kora_operator_webhook_certificate_days_left" && m.Label[0].GetValue() == certificate {
				return m.GetGauge().GetValue()
			}
		}
	}
	t.Fatalf("no days left of %s", certificate)
	return 0
}

package tenants_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/authority"
	"github.com/runkora/kora/operator/operatortest"
	corev1 "k8s.io/api/core/v1"
)

// gateway does as kora-egress does: it signs by what it may read, and a sandbox
// verifies by what is published.
type gateway struct {
	*renewing
	leaves []signed
}

type signed struct {
	leaf *x509.Certificate
	at   time.Time
}

// sign makes a server's certificate by the Secret, for a day.
func (g *gateway) sign() []byte {
	g.Helper()
	data := g.secret().Data
	deputy, err := authority.ParseDeputy(data)
	if err != nil {
		g.Fatal(err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		g.Fatal(err)
	}
	now := g.clock.Now()
	template := &x509.Certificate{SerialNumber: big.NewInt(now.Unix()), NotBefore: now, NotAfter: now.Add(24 * time.Hour), DNSNames: []string{"api.example.com"},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	raw, err := x509.CreateCertificate(rand.Reader, template, deputy.Current.Certificate, key.Public(), deputy.Current.Key)
	if err != nil {
		g.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(raw)
	if err != nil {
		g.Fatal(err)
	}
	g.leaves = append(g.leaves, signed{leaf, now})
	return data["tls.crt"]
}

func (g *gateway) secret() *corev1.Secret {
	return get(g.T, g.world, &corev1.Secret{}, v1alpha1.TenantNamespace(g.name), v1alpha1.EgressCA)
}

func (g *gateway) bundle() string {
	return get(g.T, g.world, &corev1.ConfigMap{}, v1alpha1.TenantNamespace(g.name), v1alpha1.TenantCA).Data["ca.crt"]
}

// verify checks all leaves that last still against a published bundle, with the
// chain that the Secret holds now.
func (g *gateway) verify(bundle string) {
	g.Helper()
	data, now := g.secret().Data, g.clock.Now()
	roots, above := x509.NewCertPool(), x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(bundle))
	above.AppendCertsFromPEM(slices.Concat(data["tls.crt"], []byte("\n"), data["previous.crt"]))
	for _, each := range g.leaves {
		if now.After(each.leaf.NotAfter) {
			continue
		}
		if _, err := each.leaf.Verify(x509.VerifyOptions{Roots: roots, Intermediates: above, DNSName: "api.example.com", CurrentTime: now}); err != nil {
			g.Errorf("at %s, what was signed at %s: %v", now, each.at, err)
		}
	}
}

// later lets time pass until the deputy is one that holds at that moment, and is
// under the authority of that moment.
func (g *gateway) later(d time.Duration) {
	g.Helper()
	g.after(d, "the authority is stored and published", func(s authority.State) bool {
		_, changed, err := authority.Default("kora tenant "+g.name).Step(s, g.clock.Now())
		return err == nil && !changed
	})
	operatortest.Eventually(g.T, func() error {
		state, err := authority.Parse(get(g.T, g.world, &corev1.Secret{}, v1alpha1.TenantNamespace(g.name), v1alpha1.TenantCA).Data)
		if err != nil {
			return err
		}
		data := g.secret().Data
		deputy, err := authority.ParseDeputy(data)
		if err != nil {
			return err
		}
		_, changed, err := authority.Egress(g.name, g.world.Settings.Identity.TrustDomain).Step(state, deputy, g.clock.Now())
		if err != nil || changed || !state.Published(data) {
			return fmt.Errorf("the deputy is of before: %v", err)
		}
		return nil
	})
}

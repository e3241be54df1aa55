package authority_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"math/big"
	"net"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/operator/authority"
)

func deputy(t testing.TB, r authority.DeputyRule, by authority.State, d authority.Deputy, now time.Time) authority.Deputy {
	t.Helper()
	next, _, err := r.Step(by, d, now)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// leafOf is what the gateway makes: a server's certificate for a day.
func leafOf(t testing.TB, by *authority.Pair, now time.Time, change func(*x509.Certificate)) *x509.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: now, NotAfter: now.Add(24 * time.Hour), DNSNames: []string{"api.example.com"},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	if change != nil {
		change(template)
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, by.Certificate, key.Public(), by.Key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	return leaf
}

// chained verifies as a sandbox does: it has the roots, the server shows the chain.
func chained(leaf *x509.Certificate, chain, roots []byte, now time.Time, usages ...x509.ExtKeyUsage) error {
	above, trusted := x509.NewCertPool(), x509.NewCertPool()
	above.AppendCertsFromPEM(chain)
	trusted.AppendCertsFromPEM(roots)
	_, err := leaf.Verify(x509.VerifyOptions{Roots: trusted, Intermediates: above, CurrentTime: now, KeyUsages: usages})
	return err
}

// R50: over three years and all renewals of both, what the deputy signs verifies
// for who has not read the bundle for a day, and what it signed yesterday does by
// the chain that its Secret holds today.
func TestWhatADeputySignedVerifiesForYears(t *testing.T) {
	rule, below := authority.Default("kora tenant data"), authority.Egress("data", "example.com")
	state := stepped(t, rule, authority.State{}, start)
	d := deputy(t, below, state, authority.Deputy{}, start)
	stale := state.Bundle()
	var yesterday *x509.Certificate
	var made time.Time
	renewals := 0
	for now := start; now.Before(start.AddDate(3, 0, 0)); now = now.Add(23 * time.Hour) {
		state = stepped(t, rule, state, now)
		before := d.Current.Certificate
		d = deputy(t, below, state, d, now)
		if !before.Equal(d.Current.Certificate) {
			renewals++
		}
		data, err := d.Data(state)
		if err != nil {
			t.Fatal(err)
		}
		leaf := leafOf(t, d.Current, now, nil)
		if err := chained(leaf, data["tls.crt"], stale, now); err != nil {
			t.Fatalf("%s: signed below an authority that nobody could know yet: %v", now, err)
		}
		if yesterday != nil {
			chain := slices.Concat(data["tls.crt"], data["previous.crt"])
			if err := chained(yesterday, chain, state.Bundle(), now); err != nil {
				t.Fatalf("%s: what was signed on %s: %v", now, made, err)
			}
		}
		if d.Current.Certificate.NotAfter.After(state.Trusted()[0].NotAfter) && signedByFirst(state, d) {
			t.Fatalf("%s: it outlives who signed it", now)
		}
		yesterday, made, stale = leaf, now, state.Bundle()
	}
	if renewals < 50 || renewals > 60 { // each 20 days
		t.Errorf("%d renewals in three years", renewals)
	}
}

func signedByFirst(s authority.State, d authority.Deputy) bool {
	return d.Current.Certificate.CheckSignatureFrom(s.Current.Certificate) == nil
}

// R50: what a deputy's key may do: sign servers' certificates for names outside of
// the cluster, and nothing else.
func TestADeputyIsLimited(t *testing.T) {
	state := stepped(t, authority.Default("kora tenant data"), authority.State{}, start)
	d := deputy(t, authority.Egress("data", "example.com"), state, authority.Deputy{}, start)
	data, err := d.Data(state)
	if err != nil {
		t.Fatal(err)
	}
	named := func(names ...string) func(*x509.Certificate) {
		return func(c *x509.Certificate) { c.DNSNames = names }
	}
	spiffe, _ := url.Parse("spiffe://example.com/ns/kora-system/sa/kora-operator")
	for name, c := range map[string]struct {
		change func(*x509.Certificate)
		usage  x509.ExtKeyUsage
		taken  bool
	}{
		"a server outside":     {nil, x509.ExtKeyUsageServerAuth, true},
		"a host like a suffix": {named("mysvc.example.com", "notlocalhost.dev"), x509.ExtKeyUsageServerAuth, true},
		"a client":             {nil, x509.ExtKeyUsageClientAuth, false},
		"a Service":            {named("kora-gateway.kora-system.svc"), x509.ExtKeyUsageServerAuth, false},
		"a Service's long":     {named("kubernetes.default.svc.cluster.local"), x509.ExtKeyUsageServerAuth, false},
		"this machine":         {named("localhost"), x509.ExtKeyUsageServerAuth, false},
		"a cloud's metadata":   {named("metadata.google.internal"), x509.ExtKeyUsageServerAuth, false},
		"one bad name of two":  {named("api.example.com", "a.svc"), x509.ExtKeyUsageServerAuth, false},
		"an address":           {func(c *x509.Certificate) { c.IPAddresses = []net.IP{net.IPv4(10, 0, 0, 1)} }, x509.ExtKeyUsageServerAuth, false},
		"a long address":       {func(c *x509.Certificate) { c.IPAddresses = []net.IP{net.IPv6loopback} }, x509.ExtKeyUsageServerAuth, false},
		"a SPIFFE identity":    {func(c *x509.Certificate) { c.URIs = []*url.URL{spiffe} }, x509.ExtKeyUsageServerAuth, false},
	} {
		t.Run(name, func(t *testing.T) {
			err := chained(leafOf(t, d.Current, start, c.change), data["tls.crt"], data["ca.crt"], start.Add(time.Hour), c.usage)
			if (err == nil) != c.taken {
				t.Errorf("got %v", err)
			}
		})
	}
	sub := leafOf(t, d.Current, start, func(c *x509.Certificate) {
		c.IsCA, c.BasicConstraintsValid, c.KeyUsage = true, true, x509.KeyUsageCertSign
	})
	if err := chained(sub, data["tls.crt"], data["ca.crt"], start.Add(time.Hour)); err != nil {
		t.Fatal(err) // it is refused below, not by itself
	}
	if c := d.Current.Certificate; !c.IsCA || !c.MaxPathLenZero || c.MaxPathLen != 0 || c.NotAfter.Sub(start) > 31*24*time.Hour {
		t.Errorf("%+v", c)
	}
}

// R50: the Secret of a deputy has no key of the authority.
func TestADeputysSecretLacksTheAuthoritysKey(t *testing.T) {
	state := stepped(t, authority.Default("a"), authority.State{}, start)
	d := deputy(t, authority.Egress("a", ""), state, authority.Deputy{}, start)
	data, err := d.Data(state)
	if err != nil {
		t.Fatal(err)
	}
	whole, _ := state.Data()
	for key, value := range data {
		if strings.Contains(string(value), string(whole["tls.key"])) || key != "tls.key" && strings.Contains(string(value), "PRIVATE") {
			t.Errorf("%s holds a key that is not the deputy's", key)
		}
	}
	back, err := authority.ParseDeputy(data)
	if err != nil || !back.Current.Certificate.Equal(d.Current.Certificate) || !state.Published(data) {
		t.Errorf("it does not survive its Secret: %v", err)
	}
}

// R50: a deputy that could sign more, is not of this authority or has ended is
// replaced at once; the same one, looked at again, is not.
func TestADeputyThatDoesNotFitIsReplaced(t *testing.T) {
	state := stepped(t, authority.Default("a"), authority.State{}, start)
	other := stepped(t, authority.Default("a"), authority.State{}, start)
	rule := authority.Egress("a", "example.com")
	fit := deputy(t, rule, state, authority.Deputy{}, start)
	wide := authority.DeputyRule{Name: rule.Name, Life: rule.Life}
	leaf := leafOf(t, state.Current, start, nil)
	for name, c := range map[string]struct {
		d    authority.Deputy
		at   time.Time
		kept bool
	}{
		"the same":            {fit, start, true},
		"before two thirds":   {fit, start.Add(19 * 24 * time.Hour), true},
		"a clock that is off": {fit, start.Add(-time.Hour), true},
		"not valid yet":       {deputy(t, rule, state, authority.Deputy{}, start.Add(21*24*time.Hour)), start, false},
		"before them both":    {fit, start.Add(-100 * time.Hour), false},
		"at two thirds":       {fit, start.Add(20 * 24 * time.Hour), false},
		"ended":               {fit, start.Add(31 * 24 * time.Hour), false},
		"another authority's": {deputy(t, rule, other, authority.Deputy{}, start), start, false},
		"of wider names":      {deputy(t, wide, state, authority.Deputy{}, start), start, false},
		"of another tenant":   {deputy(t, authority.Egress("b", "example.com"), state, authority.Deputy{}, start), start, false},
		"the authority":       {authority.Deputy{Current: state.Current}, start, false},
		"no authority":        {authority.Deputy{Current: &authority.Pair{Certificate: leaf, Key: state.Current.Key}}, start, false},
	} {
		t.Run(name, func(t *testing.T) {
			next, changed, err := rule.Step(state, c.d, c.at)
			if err != nil || changed == c.kept || next.Current.Certificate.Equal(c.d.Current.Certificate) != c.kept {
				t.Fatalf("changed %v, %v", changed, err)
			}
			if _, again, _ := rule.Step(state, next, c.at); again {
				t.Error("changed again at the same moment")
			}
			overlaps := name == "at two thirds" || name == "not valid yet" || name == "before them both" // for other clocks it may be valid
			if !c.kept && (len(next.Previous) == 1) != overlaps {
				t.Errorf("%d before it are kept", len(next.Previous))
			}
		})
	}
}

// An authority of before, which may have no deputy, is replaced, and trusted still.
func TestAnAuthorityWithoutDepthIsReplaced(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(7), NotBefore: start, NotAfter: start.AddDate(1, 0, 0), IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	flat, _ := x509.ParseCertificate(raw)
	next := stepped(t, authority.Default("a"), authority.State{Current: &authority.Pair{Certificate: flat, Key: key}}, start)
	if next.Current.Certificate.Equal(flat) || len(next.Previous) != 1 || !next.Previous[0].Equal(flat) {
		t.Errorf("%+v", next)
	}
}

// R50: a deputy holds until it says, through renewals of both.
func TestADeputyHoldsUntilItSays(t *testing.T) {
	rule, below := authority.Default("a"), authority.Egress("a", "")
	state, now := stepped(t, rule, authority.State{}, start), start
	d := deputy(t, below, state, authority.Deputy{}, now)
	for range 12 {
		wait := below.Wait(d, now)
		if _, changed, _ := below.Step(state, d, now.Add(wait-2*time.Second)); changed {
			t.Fatalf("%s: changes before it says", now)
		}
		now = now.Add(wait)
		state = stepped(t, rule, state, now)
		next, changed, err := below.Step(state, d, now)
		if !changed || err != nil {
			t.Fatalf("%s: nothing changes when it says: %v", now, err)
		}
		d = next
	}
}

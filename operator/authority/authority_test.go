package authority_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/operator/authority"
)

var start = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)

func stepped(t testing.TB, r authority.Rule, s authority.State, now time.Time) authority.State {
	t.Helper()
	next, _, err := r.Step(s, now)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// signed is a leaf of the authority that signs, valid for a week.
func signed(t *testing.T, s authority.State, now time.Time) *x509.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: now, NotAfter: now.Add(7 * 24 * time.Hour), DNSNames: []string{"api.example.com"}}
	raw, err := x509.CreateCertificate(rand.Reader, template, s.Current.Certificate, key.Public(), s.Current.Key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	return leaf
}

func verifies(leaf *x509.Certificate, bundle []byte, now time.Time) error {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(bundle)
	_, err := leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: "api.example.com", CurrentTime: now})
	return err
}

// R50: over five years, what was signed within the
// last week verifies, also for who has not read the bundle since a day before.
func TestWhatWasSignedVerifiesForYears(t *testing.T) {
	rule := authority.Default("kora tenant data")
	state := stepped(t, rule, authority.State{}, start)
	type made struct {
		leaf *x509.Certificate
		at   time.Time
	}
	var leaves []made
	var stale []byte
	renewals := 0
	for now := start; now.Before(start.AddDate(5, 0, 0)); now = now.Add(50 * time.Hour) {
		before := state.Current.Certificate
		stale = state.Bundle()
		state = stepped(t, rule, state, now)
		if !before.Equal(state.Current.Certificate) {
			renewals++
		}
		leaf := signed(t, state, now)
		if err := verifies(leaf, stale, now); err != nil {
			t.Fatalf("%s: signed by an authority that nobody could know yet: %v", now, err)
		}
		leaves = append(leaves, made{leaf, now})
		for len(leaves) > 0 && now.Sub(leaves[0].at) > 7*24*time.Hour {
			leaves = leaves[1:]
		}
		for _, each := range leaves {
			if err := verifies(each.leaf, state.Bundle(), now); err != nil {
				t.Fatalf("%s: what was signed on %s: %v", now, each.at, err)
			}
		}
	}
	if renewals < 6 || renewals > 8 {
		t.Errorf("%d renewals in five years of authorities that live for one", renewals)
	}
}

// R50: looked at again at the same moment, or whenever it holds, nothing changes.
func TestAStateHoldsUntilItSays(t *testing.T) {
	rule := authority.Default("a")
	state, now := stepped(t, rule, authority.State{}, start), start
	for range 12 {
		if _, changed, err := rule.Step(state, now); changed || err != nil {
			t.Fatalf("%s: changed again: %v", now, err)
		}
		wait := rule.Wait(state, now)
		if _, changed, _ := rule.Step(state, now.Add(wait-2*time.Second)); changed {
			t.Fatalf("%s: changes before it says", now)
		}
		now = now.Add(wait)
		next, changed, err := rule.Step(state, now)
		if !changed || err != nil {
			t.Fatalf("%s: nothing changes when it says: %v", now, err)
		}
		state = next
	}
}

// R50: with any clock, in any order, there is one that signs and is valid, what was
// trusted and is valid is trusted, and no certificate that has ended is.
func TestAnyClockIsBorne(t *testing.T) {
	rule := authority.Default("a")
	random := mathrand.New(mathrand.NewPCG(1, 2))
	state, now := authority.State{}, start
	for range 300 {
		now = now.Add(time.Duration(random.Int64N(int64(800*24*time.Hour))) - 200*24*time.Hour)
		before := state.Trusted()
		state = stepped(t, rule, state, now)
		if !valid(state.Current.Certificate, now) {
			t.Fatalf("%s: one signs that begins on %s and ends on %s", now, state.Current.Certificate.NotBefore, state.Current.Certificate.NotAfter)
		}
		for _, c := range before {
			if valid(c, now) && !slices.ContainsFunc(state.Trusted(), c.Equal) {
				t.Fatalf("%s: one that begins on %s and ends on %s is trusted no more", now, c.NotBefore, c.NotAfter)
			}
		}
		data, err := state.Data()
		if err != nil {
			t.Fatal(err)
		}
		back, err := authority.Parse(data)
		if err != nil || string(back.Bundle()) != string(state.Bundle()) {
			t.Fatalf("it does not survive its Secret: %v", err)
		}
		for _, c := range state.Trusted() {
			if !now.Before(c.NotAfter) {
				t.Fatalf("%s: one that ended on %s is trusted", now, c.NotAfter)
			}
		}
	}
}

// R50: the key is ECDSA P-256, and the authority has one deputy below it.
func TestAuthorityIsAsDecided(t *testing.T) {
	c := stepped(t, authority.Default("kora tenant data"), authority.State{}, start).Current.Certificate
	if key, ok := c.PublicKey.(*ecdsa.PublicKey); !ok || key.Curve != elliptic.P256() {
		t.Errorf("its key is %T", c.PublicKey)
	}
	if !c.IsCA || c.MaxPathLen != 1 || c.KeyUsage&x509.KeyUsageCertSign == 0 || c.Subject.CommonName != "kora tenant data" {
		t.Errorf("%+v", c)
	}
	if err := c.CheckSignatureFrom(c); err != nil {
		t.Error(err)
	}
}

// R50: a Secret that is not as it was written is refused, and its key never told.
func TestSpoiledSecretsAreRefused(t *testing.T) {
	state := stepped(t, authority.Default("a"), authority.State{}, start)
	other, _ := stepped(t, authority.Default("b"), authority.State{}, start).Data()
	key, _ := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	raw, _ := x509.MarshalPKCS8PrivateKey(key)
	large := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})
	leaf := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed(t, state, start).Raw})
	for name, c := range map[string]struct {
		key   string
		value []byte
		want  string
	}{
		"no certificate":    {"tls.crt", nil, "tls.crt is missing"},
		"no key":            {"tls.key", nil, "tls.key holds no PEM"},
		"words":             {"tls.crt", []byte("planted-secret"), "tls.crt holds something"},
		"words for a key":   {"tls.key", []byte("planted-secret"), "tls.key holds no PEM"},
		"another's key":     {"tls.key", other["tls.key"], "is not the key of tls.crt"},
		"another curve":     {"tls.key", large, "is no ECDSA P-256 key"},
		"no authority":      {"tls.crt", leaf, "no authority's"},
		"a next without it": {"next.crt", other["tls.crt"], "next.key"},
		"junk of before":    {"previous.crt", []byte("junk"), "previous.crt"},
		"junk aside":        {"aside.crt", []byte("junk"), "aside.crt"},
		"a key of nobody's": {"aside.key", other["tls.key"], "aside.crt is missing"},
		"junk that ended":   {"ended.crt", leaf, "no authority's"},
		"two certificates":  {"tls.crt", append(other["tls.crt"], other["tls.crt"]...), "2 certificates"},
	} {
		t.Run(name, func(t *testing.T) {
			data, err := state.Data()
			if err != nil {
				t.Fatal(err)
			}
			data[c.key] = c.value
			_, err = authority.Parse(data)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "planted") {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// What a Secret holds is somebody else's to change: nothing of it stops the operator.
func FuzzParse(f *testing.F) {
	state := stepped(f, authority.Default("a"), authority.State{}, start)
	state = stepped(f, authority.Default("a"), state, start.AddDate(0, 9, 0))
	data, err := state.Data()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data["tls.crt"], data["tls.key"], data["next.crt"], data["next.key"])
	f.Add([]byte(nil), []byte("-----BEGIN"), []byte("\x00"), []byte(nil))
	f.Fuzz(func(t *testing.T, certificate, key, next, nextKey []byte) {
		s, err := authority.Parse(map[string][]byte{"tls.crt": certificate, "tls.key": key, "next.crt": next, "next.key": nextKey,
			"aside.crt": next, "aside.key": nextKey, "ended.crt": certificate, "ended.key": key})
		if err != nil {
			return
		}
		if _, err := s.Data(); err != nil {
			t.Fatalf("read and not written: %v", err)
		}
		if _, _, err := authority.Default("a").Step(s, start); err != nil {
			t.Fatal(err)
		}
	})
}

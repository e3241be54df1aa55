package certificates

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/randfill"
)

const (
	host = "kora-operator.kora-system.svc"
	life = 300 * 24 * time.Hour
	day  = 24 * time.Hour
)

var begin = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// walk steps a state at a time until nothing more is to do.
func walk(t *testing.T, s state, now time.Time, settled bool) (state, []string) {
	t.Helper()
	var words []string
	for range 5 {
		after, word, err := s.step(host, now, life, settled)
		if err != nil {
			t.Fatal(err)
		}
		if word == "" {
			return s, words
		}
		s, words = after, append(words, word)
	}
	t.Fatalf("never at rest: %v", words)
	return s, nil
}

func same(a, b *x509.Certificate) bool { return a != nil && b != nil && bytes.Equal(a.Raw, b.Raw) }

// only reports whether a certificate is all that there is.
func only(all []*x509.Certificate, one *x509.Certificate) bool {
	return len(all) == 1 && same(all[0], one)
}

// R54: an authority is followed by the next one in order, and at every moment one
// that signs is trusted.
func TestAuthoritiesFollowOneAnother(t *testing.T) {
	s, _ := walk(t, state{}, begin, false)
	first := s.current.cert
	s, words := walk(t, s, begin.Add(199*day), true)
	if len(words) > 0 {
		t.Errorf("before two thirds: %v", words)
	}
	s, _ = walk(t, s, begin.Add(200*day), false)
	if !same(s.current.cert, first) || s.next == nil || len(s.trusted()) != 2 || !same(s.trusted()[0], first) {
		t.Fatalf("at two thirds: %+v", s)
	}
	next := s.next.cert
	s, _ = walk(t, s, begin.Add(201*day), true)
	if !same(s.current.cert, next) || !only(s.previous, first) || s.next != nil || !same(s.trusted()[0], next) {
		t.Fatalf("settled: %+v", s)
	}
	data, err := s.encode()
	if err != nil || strings.Count(string(bytes.Join([][]byte{data[currentCert], data[currentKey], data[previousCert]}, nil)), "PRIVATE") != 2 || len(data) != 3 {
		t.Errorf("the key of the previous authority is not gone: %v %d", err, len(data))
	}
	s, _ = walk(t, s, begin.Add(301*day), true)
	if len(s.previous) > 0 || !same(s.current.cert, next) {
		t.Errorf("at the end of the first: %+v", s)
	}
}

// R54: a clock that goes back makes another authority and keeps the one that will
// be valid; one that leaps past the end makes another too.
func TestAuthorityOutOfItsTimeIsReplaced(t *testing.T) {
	s, _ := walk(t, state{}, begin, false)
	first := s.current.cert
	back, _ := walk(t, s, begin.Add(-30*day), false)
	if same(back.current.cert, first) || !only(back.previous, first) {
		t.Error("back in time: the authority that will be valid is not kept")
	}
	ahead, _ := walk(t, s, begin.Add(9000*day), false)
	if same(ahead.current.cert, first) || len(ahead.previous) > 0 {
		t.Error("past its end it is still trusted")
	}
	aging, _ := walk(t, s, begin.Add(250*day), false)
	promoted, _ := walk(t, aging, begin.Add(310*day), false)
	if !same(promoted.current.cert, aging.next.cert) {
		t.Error("the next one does not take over when nobody settled")
	}
}

// R54: a clock that jumps, ahead or back, once or several times, and is right again: who
// signs is valid at every moment, and what was trusted and is valid then is trusted, until
// a clock ends it; one that jumps about for long leaves three.
func TestClocksThatJumpTakeNoTrust(t *testing.T) {
	for name, jumps := range map[string][]time.Duration{
		"until the next one signs":      {200 * day, 201 * day},
		"and back by steps":             {200 * day, 201 * day, 100 * day, 50 * day},
		"back and ahead":                {-30 * day, 0, -60 * day},
		"there and back, several times": {200 * day, 201 * day, 0, -60 * day, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := walk(t, state{}, begin, false)
			for _, jump := range append(jumps, 0) {
				now := begin.Add(jump)
				before := append([]*x509.Certificate{s.current.cert}, s.previous...) // the next one signed nothing
				s, _ = walk(t, s, now, false)
				s, _ = walk(t, s, now, true)
				if !usable(s.current.cert, now) {
					t.Fatalf("after %s one signs that is valid from %s", jump, s.current.cert.NotBefore)
				}
				for _, c := range before {
					if usable(c, now) && !contains(s.trusted(), c) {
						t.Errorf("after %s one that is valid until %s is not trusted", jump, c.NotAfter)
					}
				}
			}
		})
	}
	s, _ := walk(t, state{}, begin, false)
	for i := range 60 {
		s, _ = walk(t, s, begin.Add([]time.Duration{0, 200 * day, 201 * day, -50 * day, -90 * day}[i%5]+time.Duration(i)*time.Hour), true)
	}
	if n := len(s.trusted()); n > 3 || !usable(s.current.cert, begin.Add(-90*day+59*time.Hour)) {
		t.Errorf("%d are trusted", n)
	}
}

// R54: the authority can sign for the Service's name and for nothing else.
func TestAuthoritySignsForOneNameAlone(t *testing.T) {
	p, err := newAuthority(host, begin, life)
	if err != nil {
		t.Fatal(err)
	}
	for name, passes := range map[string]bool{host: true, "kubernetes.default.svc": false, "kora-operator.kora-system.svc.evil.example": false} {
		c, err := p.sign(name, begin, day)
		if err != nil {
			t.Fatal(err)
		}
		roots := x509.NewCertPool()
		roots.AddCert(p.cert)
		_, err = c.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: name, CurrentTime: begin})
		if (err == nil) != passes {
			t.Errorf("%s: %v", name, err)
		}
	}
	late, err := p.sign(host, begin.Add(299*day), 7*day)
	if err != nil || late.Leaf.NotAfter.After(p.cert.NotAfter) {
		t.Errorf("a certificate outlives its authority: %v", err)
	}
}

// R54: what is read is what was written, and what somebody else wrote is refused.
func TestSecretIsReadAsItWasWritten(t *testing.T) {
	s, _ := walk(t, state{}, begin, false)
	s, _ = walk(t, s, begin.Add(220*day), false)
	s.previous = []*x509.Certificate{s.current.cert, s.next.cert}
	data, err := s.encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodeState(data, host)
	if err != nil || !same(got.current.cert, s.current.cert) || !same(got.next.cert, s.next.cert) || !slices.EqualFunc(got.previous, s.previous, (*x509.Certificate).Equal) {
		t.Fatalf("%v %+v", err, got)
	}
	if _, err := decodeState(data, "other.svc"); err == nil {
		t.Error("an authority for another name passes")
	}
	data[currentKey] = data[nextKey]
	if got, err := decodeState(data, host); err == nil || got.current != nil || got.next == nil {
		t.Error("a key of another certificate passes, or takes the rest along")
	}
	leaf, err := s.current.sign(host, begin, day)
	if err != nil {
		t.Fatal(err)
	}
	signer := &pair{leaf.Leaf, s.current.key}
	if cert, key, err := signer.encode(); err == nil {
		if _, err := decodePair(cert, key, host); err == nil {
			t.Error("a certificate that is no authority passes")
		}
	}
}

// R54: whatever stands in the Secret or in caBundle, reading it does not fail, and
// what comes of it can be written and read.
func FuzzSecret(f *testing.F) {
	s, _, err := state{}.step(host, begin, life, false)
	if err != nil {
		f.Fatal(err)
	}
	data, err := s.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data[currentCert], data[currentKey], data[currentCert])
	f.Add([]byte("-----BEGIN CERTIFICATE-----\n"), []byte{}, []byte("-----BEGIN-----BEGIN-----BEGIN"))
	f.Add([]byte{}, []byte("x"), bytes.Repeat([]byte("-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n"), 50))
	f.Fuzz(func(t *testing.T, cert, key, third []byte) {
		s, _ := decodeState(map[string][]byte{currentCert: cert, currentKey: key, nextCert: third, nextKey: key, previousCert: third}, host)
		if n := len(decodeBundle(third)); n > len(third)/20 {
			t.Errorf("%d certificates in %d bytes", n, len(third))
		}
		after, _, err := s.step(host, begin, life, true)
		if err != nil {
			t.Fatal(err)
		}
		data, err := after.encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decodeState(data, host); err != nil {
			t.Error(err)
		}
	})
}

// R54: at whatever times steps come, whatever a clock does, one that can sign now
// is there after each, and no more than three are trusted.
func TestRandomClocksNeverLeaveItWithoutAnAuthority(t *testing.T) {
	random := randfill.NewWithSeed(7)
	s, now := state{}, begin
	for n := range 150 {
		var jump int16
		var settled bool
		random.Fill(&jump)
		random.Fill(&settled)
		now = now.Add(time.Duration(jump%400) * day)
		s, _ = walk(t, s, now, settled)
		if s.current == nil || !usable(s.current.cert, now) || len(s.trusted()) > 3 {
			t.Fatalf("step %d: %+v", n, s)
		}
		if c, err := s.current.sign(host, now, day); err != nil || !usable(c.Leaf, now) {
			t.Fatalf("step %d: %v", n, err)
		}
	}
}

// A certificate in memory is none before the first step.
func TestNothingIsServedBeforeThereIsACertificate(t *testing.T) {
	l := newLeaf(Settings{Namespace: "kora-system"}.defaulted())
	if c, err := l.get(&tls.ClientHelloInfo{}); err == nil || c != nil {
		t.Error("a certificate out of nothing")
	}
}

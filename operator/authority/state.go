package authority

import (
	"crypto/ecdsa"
	"crypto/x509"
	"slices"
	"time"
)

// Pair is a certificate authority with its key.
type Pair struct {
	Certificate *x509.Certificate
	Key         *ecdsa.PrivateKey
}

// State is an authority in the midst of its renewals. The zero State is none yet.
type State struct {
	Current  *Pair               // signs, and is valid at the moment of the Step that gave the State
	Next     *Pair               // is trusted, and does not sign yet; nil most of the time
	Previous []*x509.Certificate // no longer sign, and are trusted while they last
	// Aside are trusted and do not sign, though they have their keys: they lie in the
	// future, as the clock went back, or came into their time while another one signs.
	Aside []*Pair
	// Ended are not trusted: their end is over by the clock. When that has only jumped
	// ahead and comes back, they are trusted again, and sign where they have their keys.
	Ended []*Pair
}

// Rule says how an authority lives.
type Rule struct {
	Name   string        // common name of the certificates
	Life   time.Duration // of one certificate
	Notice time.Duration // between the publication of the next one and its first signature
}

// Default is the rule of tenants' authorities.
func Default(name string) Rule {
	return Rule{Name: name, Life: 365 * 24 * time.Hour, Notice: 24 * time.Hour}
}

// Step gives the state that holds at a moment, and whether it differs. It makes
// at most one certificate; an error is one of the machine's randomness. What is not
// valid at that moment, or has an unknown form, does not sign: one that did before and
// is valid does, or else a new one. What is valid stays trusted, whatever the clock did.
func (r Rule) Step(s State, now time.Time) (out State, changed bool, err error) {
	out = r.promoted(s.at(now), now)
	if out.Current == nil {
		out.Current = out.take(now, ended)
	}
	if out.Current == nil {
		if out.Current, err = r.make(now); err != nil {
			return s, false, err
		}
	}
	if out.Next == nil && aging(out.Current.Certificate, now) {
		out.Next = out.take(now, aging)
		if out.Next == nil {
			if out.Next, err = r.make(now); err != nil {
				return s, false, err
			}
		}
	}
	out = r.promoted(out, now)
	return out, !s.same(out), nil
}

// promoted has the next one sign after its notice, or when there is nothing else that
// could. The present one is kept as a certificate alone.
func (r Rule) promoted(s State, now time.Time) State {
	if s.Next == nil || s.Current != nil && now.Before(made(s.Next.Certificate).Add(r.Notice)) {
		return s
	}
	if s.Current != nil {
		s.Previous = append(slices.Clone(s.Previous), s.Current.Certificate)
	}
	s.Current, s.Next = s.Next, nil
	return s
}

// deep reports whether an authority may have a deputy: one that may not is of no
// use, whoever made it.
func deep(c *x509.Certificate) bool { return c.MaxPathLen >= depth || c.MaxPathLen < 0 }

// Wait is how long the state holds, if nobody touches it; at least a second.
func (r Rule) Wait(s State, now time.Time) time.Duration {
	at := renewal(s.Current.Certificate)
	if s.Next != nil {
		at = made(s.Next.Certificate).Add(r.Notice)
	}
	for _, c := range s.Trusted() {
		if c.NotAfter.Before(at) {
			at = c.NotAfter
		}
	}
	return max(at.Sub(now)+time.Second, time.Second)
}

// Trusted are all certificates that verify: the one that signs first.
func (s State) Trusted() []*x509.Certificate {
	var all []*x509.Certificate
	for _, p := range []*Pair{s.Current, s.Next} {
		if p != nil {
			all = append(all, p.Certificate)
		}
	}
	return append(append(all, s.Previous...), certificatesOf(s.Aside)...)
}

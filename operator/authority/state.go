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
	Current  *Pair               // signs
	Next     *Pair               // is trusted, and does not sign yet; nil most of the time
	Previous []*x509.Certificate // no longer sign, and are trusted while they last
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
// at most one certificate; an error is one of the machine's randomness. What has
// ended, or has an unknown form, is replaced at once.
func (r Rule) Step(s State, now time.Time) (State, bool, error) {
	out := State{s.Current, s.Next, living(s.Previous, now)}
	changed := len(out.Previous) != len(s.Previous)
	if out.Next != nil && r.promotes(out, now) {
		out = promoted(out, now)
		changed = true
	}
	switch {
	case out.Current == nil || ended(out.Current.Certificate, now) || !deep(out.Current.Certificate):
		made, err := r.make(now)
		if err != nil {
			return s, false, err
		}
		return State{Current: made, Previous: retired(out, now)}, true, nil
	case out.Next == nil && !now.Before(renewal(out.Current.Certificate)):
		made, err := r.make(now)
		if err != nil {
			return s, false, err
		}
		out.Next = made
		return out, true, nil
	}
	return out, changed, nil
}

// promotes reports whether the next one signs from now on: after its notice, or
// when there is nothing else that could.
func (r Rule) promotes(s State, now time.Time) bool {
	return s.Current == nil || ended(s.Current.Certificate, now) || !now.Before(made(s.Next.Certificate).Add(r.Notice))
}

func promoted(s State, now time.Time) State {
	return State{Current: s.Next, Previous: retired(s, now)}
}

// retired are those that no longer sign once another one does.
func retired(s State, now time.Time) []*x509.Certificate {
	previous := s.Previous
	if s.Current != nil {
		previous = append(slices.Clone(previous), s.Current.Certificate)
	}
	return living(previous, now)
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
	for _, c := range s.Previous {
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
	return append(all, s.Previous...)
}

func living(all []*x509.Certificate, now time.Time) []*x509.Certificate {
	return slices.DeleteFunc(slices.Clone(all), func(c *x509.Certificate) bool { return ended(c, now) })
}

func ended(c *x509.Certificate, now time.Time) bool { return !now.Before(c.NotAfter) }

// made is the moment at which a certificate was made: it is valid since a little
// earlier, for machines whose clocks are behind.
func made(c *x509.Certificate) time.Time { return c.NotBefore.Add(skew) }

// renewal is two thirds of a certificate's life.
func renewal(c *x509.Certificate) time.Time {
	return made(c).Add(c.NotAfter.Sub(made(c)) * 2 / 3)
}

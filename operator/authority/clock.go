package authority

import (
	"cmp"
	"crypto/x509"
	"slices"
	"time"
)

// How much is kept of what clocks that jump leave behind, and whoever spoils the Secret, so
// that it does not outgrow what the API server takes, however often they do. Without them
// nothing comes near, but for what ended years ago.
const (
	mostPrevious = 32
	mostAside    = 8
	mostEnded    = 12 // all that one jump can end
)

// at is the state with each certificate where the clock has it.
func (s State) at(now time.Time) (out State) {
	for _, c := range s.Previous {
		out.put(&Pair{Certificate: c}, now)
	}
	for i, p := range slices.Concat([]*Pair{s.Current, s.Next}, s.Aside, s.Ended) {
		switch {
		case p == nil:
		case i == 0 && signs(p, now):
			out.Current = p
		case i == 1 && signs(p, now):
			out.Next = p
		default:
			out.put(p, now)
		}
	}
	for ; len(out.Aside) > mostAside; out.Aside = out.Aside[:len(out.Aside)-1] {
		out.Previous = append(out.Previous, out.Aside[len(out.Aside)-1].Certificate)
	}
	out.Previous = latest(out.Previous, mostPrevious, itself)
	out.Ended = latest(out.Ended, mostEnded, func(p *Pair) *x509.Certificate { return p.Certificate })
	return out
}

// put has one that does not sign where it belongs.
func (s *State) put(p *Pair, now time.Time) {
	switch {
	case ended(p.Certificate, now):
		s.Ended = append(s.Ended, p)
	case p.Key == nil || !deep(p.Certificate):
		s.Previous = append(s.Previous, p.Certificate)
	default:
		s.Aside = append(s.Aside, p)
	}
}

// take gives of those aside one that may sign, and is not too old for it: the one that
// ends last, or nil.
func (s *State) take(now time.Time, old func(*x509.Certificate, time.Time) bool) *Pair {
	best := -1
	for i, p := range s.Aside {
		if signs(p, now) && !old(p.Certificate, now) && (best < 0 || p.Certificate.NotAfter.After(s.Aside[best].Certificate.NotAfter)) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	taken := s.Aside[best]
	s.Aside = slices.Delete(slices.Clone(s.Aside), best, best+1)
	return taken
}

// same reports whether two states are of the same certificates, each in its place.
func (s State) same(o State) bool {
	one := func(a, b *Pair) bool { return a == b || a != nil && b != nil && a.Certificate.Equal(b.Certificate) }
	return one(s.Current, o.Current) && one(s.Next, o.Next) && slices.EqualFunc(s.Previous, o.Previous, (*x509.Certificate).Equal) &&
		slices.EqualFunc(s.Aside, o.Aside, one) && slices.EqualFunc(s.Ended, o.Ended, one)
}

// certificatesOf gives the certificates of pairs.
func certificatesOf(all []*Pair) (out []*x509.Certificate) {
	for _, p := range all {
		out = append(out, p.Certificate)
	}
	return out
}

// itself is a certificate for latest.
func itself(c *x509.Certificate) *x509.Certificate { return c }

// latest are as many as end last, in the order in which they were.
func latest[T any](all []T, most int, of func(T) *x509.Certificate) []T {
	for len(all) > most {
		first := slices.MinFunc(all, func(a, b T) int { return cmp.Compare(of(a).NotAfter.Unix(), of(b).NotAfter.Unix()) })
		at := slices.IndexFunc(all, func(t T) bool { return of(t) == of(first) })
		all = slices.Delete(slices.Clone(all), at, at+1)
	}
	return all
}

// signs reports whether a pair may sign at a moment.
func signs(p *Pair, now time.Time) bool {
	return p.Key != nil && deep(p.Certificate) && !early(p.Certificate, now) && !ended(p.Certificate, now)
}

func ended(c *x509.Certificate, now time.Time) bool { return !now.Before(c.NotAfter) }

// early reports whether a certificate is not valid yet.
func early(c *x509.Certificate, now time.Time) bool { return now.Before(c.NotBefore) }

// aging reports whether two thirds of a certificate's life are over.
func aging(c *x509.Certificate, now time.Time) bool { return !now.Before(renewal(c)) }

// made is the moment at which a certificate was made: it is valid since a little
// earlier, for machines whose clocks are behind.
func made(c *x509.Certificate) time.Time { return c.NotBefore.Add(skew) }

// renewal is two thirds of a certificate's life.
func renewal(c *x509.Certificate) time.Time {
	return made(c).Add(c.NotAfter.Sub(made(c)) * 2 / 3)
}

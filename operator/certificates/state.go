package certificates

import (
	"bytes"
	"crypto/x509"
	"errors"
	"slices"
	"time"
)

// Keys of the Secret's data.
const (
	currentCert  = "ca.crt"
	currentKey   = "ca.key"
	nextCert     = "next.crt"
	nextKey      = "next.key"
	previousCert = "previous.crt"
)

// state is what the Secret holds: the authority that signs, the next one, which is
// trusted already and signs nothing yet, and those before, which are trusted until they
// end and whose keys are gone: one, or more after a clock that jumped.
type state struct {
	current, next *pair
	previous      []*x509.Certificate // the last one first
}

// most is how many are trusted, however a clock jumps about.
const most = 3

// decodeState reads a Secret's data. What cannot be read is left out and told in
// the error; the rest is given all the same.
func decodeState(data map[string][]byte, host string) (state, error) {
	var s state
	var found [3]error
	if len(data[currentCert])+len(data[currentKey]) > 0 {
		s.current, found[0] = decodePair(data[currentCert], data[currentKey], host)
	}
	if len(data[nextCert])+len(data[nextKey]) > 0 {
		s.next, found[1] = decodePair(data[nextCert], data[nextKey], host)
	}
	if len(data[previousCert]) > 0 {
		s.previous, found[2] = decodeCerts(data[previousCert])
		s.previous = s.previous[:min(len(s.previous), most-1)]
	}
	return s, errors.Join(found[:]...)
}

// encode gives the Secret's data.
func (s state) encode() (map[string][]byte, error) {
	data := map[string][]byte{}
	var err, errNext error
	if s.current != nil {
		data[currentCert], data[currentKey], err = s.current.encode()
	}
	if s.next != nil {
		data[nextCert], data[nextKey], errNext = s.next.encode()
	}
	for _, c := range s.previous {
		data[previousCert] = append(data[previousCert], encodeCert(c)...)
	}
	return data, errors.Join(err, errNext)
}

// bundle is what the API server is to trust. The one that signs comes first: by
// that every replica knows whether its certificate is of it.
func (s state) bundle() []byte {
	var all []byte
	for _, c := range s.trusted() {
		all = append(all, encodeCert(c)...)
	}
	return all
}

func (s state) trusted() []*x509.Certificate {
	var all []*x509.Certificate
	if s.current != nil {
		all = append(all, s.current.cert)
	}
	if s.next != nil {
		all = append(all, s.next.cert)
	}
	return append(all, s.previous...)
}

// step is one change at most: what a Secret should hold after now, and in words
// what changed. settled says that the next authority has been in every caBundle
// long enough for every API server to have seen it.
func (s state) step(host string, now time.Time, life time.Duration, settled bool) (state, string, error) {
	switch {
	case s.current == nil && s.next == nil:
		made, err := newAuthority(host, now, life)
		return state{current: made, previous: s.previous}, "made a certificate authority", err
	case s.current == nil || !usable(s.current.cert, now):
		return s.replace(host, now, life)
	case s.next != nil && !usable(s.next.cert, now):
		s.next = nil
		return s, "dropped the next certificate authority, which is not valid now", nil
	case s.next == nil && aging(s.current.cert, now):
		made, err := newAuthority(host, now, life)
		s.next, s.previous = made, few(s.previous, now, most-2)
		return s, "made the next certificate authority", err
	case s.next != nil && settled:
		return state{current: s.next, previous: s.retired(now)}, "the next certificate authority signs from now on", nil
	case slices.ContainsFunc(s.previous, func(c *x509.Certificate) bool { return !now.Before(c.NotAfter) }):
		s.previous = living(s.previous, now)
		return s, "forgot the previous certificate authority, which has ended", nil
	}
	return s, "", nil
}

// replace gives up an authority that cannot sign now: it has ended, or the clock
// went back to before it. The latter stays trusted, for the clock may come right, and so
// do those before it: what is served may be of one of them.
func (s state) replace(host string, now time.Time, life time.Duration) (state, string, error) {
	after := state{previous: s.retired(now)}
	if s.next != nil && usable(s.next.cert, now) {
		after.current = s.next
		return after, "the certificate authority is not valid now: the next one signs", nil
	}
	made, err := newAuthority(host, now, life)
	after.current = made
	return after, "the certificate authority is not valid now: made another", err
}

// retired are those that do not sign once the present one does not either.
func (s state) retired(now time.Time) []*x509.Certificate {
	all := s.previous
	if s.current != nil {
		all = append([]*x509.Certificate{s.current.cert}, all...)
	}
	return few(living(all, now), now, most-1)
}

// few leaves so many: what is served is of one that is valid now sooner than of one that
// will be.
func few(all []*x509.Certificate, now time.Time, most int) []*x509.Certificate {
	for len(all) > most {
		at := slices.IndexFunc(all, func(c *x509.Certificate) bool { return !usable(c, now) })
		if at < 0 {
			at = len(all) - 1
		}
		all = slices.Delete(slices.Clone(all), at, at+1)
	}
	return all
}

// living are those that have not ended.
func living(all []*x509.Certificate, now time.Time) []*x509.Certificate {
	return slices.DeleteFunc(slices.Clone(all), func(c *x509.Certificate) bool { return !now.Before(c.NotAfter) })
}

// public is a state without its keys.
func (s state) public() state {
	out := state{previous: s.previous}
	if s.current != nil {
		out.current = &pair{cert: s.current.cert}
	}
	if s.next != nil {
		out.next = &pair{cert: s.next.cert}
	}
	return out
}

// decodeBundle reads a caBundle, and leaves out what is no certificate.
func decodeBundle(text []byte) []*x509.Certificate {
	var all []*x509.Certificate
	for len(text) > 0 {
		at := bytes.Index(text, []byte("-----BEGIN"))
		if at < 0 {
			break
		}
		text = text[at:]
		if c, err := decodeCert(text); err == nil {
			all = append(all, c)
		}
		text = text[len("-----BEGIN"):]
	}
	return all
}

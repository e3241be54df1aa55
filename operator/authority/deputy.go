package authority

import (
	"bytes"
	"crypto/x509"
	"net"
	"slices"
	"time"
)

// Deputy is an intermediate authority in the midst of its renewals. The zero
// Deputy is none yet.
type Deputy struct {
	Current *Pair // signs leaves, and no further authority
	// Previous signed before and have not ended, without their keys: they complete the
	// chains of what they signed. One may lie in the future, as the clock went back.
	Previous []*x509.Certificate
	// Ended have ended by the clock. When that has only jumped ahead and comes back, they
	// complete chains again.
	Ended []*x509.Certificate
}

// DeputyRule says how an intermediate lives, and what it may never sign for.
type DeputyRule struct {
	Name string        // common name
	Life time.Duration // at most; it never outlives the authority that signs it
	// Closed are DNS names with all below them, and ClosedURIs hosts of URIs, that no
	// leaf may name. None may name an address.
	Closed, ClosedURIs []string
}

// Egress is the rule of the egress gateway's intermediate in a tenant: it stands in
// for servers outside of the cluster, and never for what is inside, for a cloud's
// metadata, for an address or for a SPIFFE identity.
func Egress(tenant, trustDomain string) DeputyRule {
	r := DeputyRule{Name: "kora egress " + tenant, Life: 30 * 24 * time.Hour,
		Closed: []string{"cluster.local", "localhost", "metadata.google.internal", "svc"}}
	if trustDomain != "" {
		r.ClosedURIs = []string{trustDomain}
	}
	return r
}

// Step gives the deputy that holds at a moment under an authority, and whether it
// differs. It makes at most one certificate. One that is not valid at that moment is
// replaced at once; one that the authority's certificates do not verify, or that may
// sign more than the rule lets it, is forgotten as well.
func (r DeputyRule) Step(by State, d Deputy, now time.Time) (Deputy, bool, error) {
	out := Deputy{}
	for _, c := range slices.Concat(d.Previous, d.Ended) {
		out.put(by, c, now)
	}
	switch {
	case d.Current == nil || !r.shaped(d.Current.Certificate):
	case early(d.Current.Certificate, now) || ended(d.Current.Certificate, now) || !signedBy(by, d.Current.Certificate):
		out.put(by, d.Current.Certificate, now)
	default:
		out.Current = d.Current
	}
	if out.Current == nil || aging(out.Current.Certificate, now) {
		made, err := r.make(by.Current, now)
		if err != nil {
			return d, false, err
		}
		if out.Current != nil {
			out.put(by, out.Current.Certificate, now)
		}
		out.Current = made
	}
	out.Previous, out.Ended = latest(out.Previous, mostAside, itself), latest(out.Ended, mostAside, itself)
	return out, !d.same(out), nil
}

// put has one that no longer signs where it belongs, or forgets it.
func (d *Deputy) put(by State, c *x509.Certificate, now time.Time) {
	switch {
	case ended(c, now):
		d.Ended = append(d.Ended, c)
	case signedBy(by, c):
		d.Previous = append(d.Previous, c)
	}
}

func (d Deputy) same(o Deputy) bool {
	return d.Current != nil && o.Current != nil && d.Current.Certificate.Equal(o.Current.Certificate) &&
		slices.EqualFunc(d.Previous, o.Previous, (*x509.Certificate).Equal) && slices.EqualFunc(d.Ended, o.Ended, (*x509.Certificate).Equal)
}

// Wait is how long the deputy holds, if nobody touches it; at least a second.
func (r DeputyRule) Wait(d Deputy, now time.Time) time.Duration {
	at := renewal(d.Current.Certificate)
	for _, c := range d.Previous {
		if c.NotAfter.Before(at) {
			at = c.NotAfter
		}
	}
	return max(at.Sub(now)+time.Second, time.Second)
}

func (r DeputyRule) make(by *Pair, now time.Time) (*Pair, error) {
	t := r.limit(template(r.Name, now, r.Life))
	if t.NotAfter.After(by.Certificate.NotAfter) {
		t.NotAfter = by.Certificate.NotAfter
	}
	return mint(t, by)
}

// limit closes what a deputy may not sign: a client's certificate, a further
// authority, and the names of the rule.
func (r DeputyRule) limit(c *x509.Certificate) *x509.Certificate {
	c.MaxPathLen, c.MaxPathLenZero = 0, true
	c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	c.PermittedDNSDomainsCritical = true // all name constraints are
	c.ExcludedDNSDomains, c.ExcludedURIDomains = r.Closed, r.ClosedURIs
	c.ExcludedIPRanges = []*net.IPNet{{IP: net.IPv4zero.To4(), Mask: net.CIDRMask(0, 32)}, {IP: net.IPv6zero, Mask: net.CIDRMask(0, 128)}}
	return c
}

// shaped reports whether a certificate is of this rule, and may sign no more than it lets.
func (r DeputyRule) shaped(c *x509.Certificate) bool {
	want := r.limit(&x509.Certificate{})
	return c.Subject.CommonName == r.Name && c.MaxPathLen == 0 && c.MaxPathLenZero &&
		slices.Equal(c.ExtKeyUsage, want.ExtKeyUsage) && c.PermittedDNSDomainsCritical &&
		slices.Equal(c.ExcludedDNSDomains, want.ExcludedDNSDomains) && slices.Equal(c.ExcludedURIDomains, want.ExcludedURIDomains) &&
		slices.EqualFunc(c.ExcludedIPRanges, want.ExcludedIPRanges, func(a, b *net.IPNet) bool { return a.String() == b.String() })
}

// Signed reports whether one of the trusted authorities signed a certificate.
func (s State) Signed(c *x509.Certificate) bool { return signedBy(s, c) }

// signedBy reports whether one of the trusted authorities signed a certificate.
func signedBy(by State, c *x509.Certificate) bool {
	return slices.ContainsFunc(by.Trusted(), func(a *x509.Certificate) bool {
		return bytes.Equal(a.SubjectKeyId, c.AuthorityKeyId) && c.CheckSignatureFrom(a) == nil
	})
}

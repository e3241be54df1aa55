package verify

import (
	"bytes"
	"crypto/x509"
	"encoding/hex"
	"slices"

	"github.com/sigstore/sigstore-go/pkg/root"

	"github.com/runkora/kora/verify/evidence"
)

// logs are those of the root, none where a key alone is asked.
func (c check) logs() map[string]*root.TransparencyLog {
	if c.keyAlone() {
		return nil
	}
	return c.material.RekorLogs()
}

func (c check) bundleKey(item evidence.Item) bool {
	content, err := item.Bundle.VerificationContent()
	return err == nil && content.PublicKey() != nil
}

// unknown names what of the evidence belongs to an instance that the root does
// not know, "" where all does.
func (c check) unknown(item evidence.Item) string {
	known := false
	entries := item.Bundle.GetVerificationMaterial().GetTlogEntries()
	for _, e := range entries {
		_, has := c.logs()[hex.EncodeToString(e.GetLogId().GetKeyId())]
		known = known || has
	}
	switch {
	case len(entries) > 0 && len(c.logs()) > 0 && !known:
		return "transparency log"
	case !c.keyAlone() && !c.issued(item):
		return "certificate authority"
	}
	return ""
}

// issued reports whether an authority of the root may have issued the
// certificate, or a key signed.
func (c check) issued(item evidence.Item) bool {
	content, err := item.Bundle.VerificationContent()
	if err != nil || content.Certificate() == nil {
		return true
	}
	for _, authority := range c.material.FulcioCertificateAuthorities() {
		a, ok := authority.(*root.FulcioCertificateAuthority)
		if !ok {
			return true
		}
		for _, child := range slices.Concat(content.Intermediates(), []*x509.Certificate{content.Certificate()}) {
			if slices.ContainsFunc(slices.Concat(a.Intermediates, []*x509.Certificate{a.Root}), func(p *x509.Certificate) bool { return named(p, child) }) {
				return true
			}
		}
	}
	return false
}

// named reports whether a certificate names another as its issuer.
func named(parent, child *x509.Certificate) bool {
	if len(parent.SubjectKeyId) > 0 && len(child.AuthorityKeyId) > 0 {
		return bytes.Equal(parent.SubjectKeyId, child.AuthorityKeyId)
	}
	return bytes.Equal(parent.RawSubject, child.RawIssuer)
}

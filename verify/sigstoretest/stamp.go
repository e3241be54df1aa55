package sigstoretest

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/asn1"
	"time"

	"github.com/digitorus/timestamp"
)

// Stamp is the timestamp authority's word that a signature existed at a time.
func (s *Sigstore) Stamp(sig []byte, at time.Time) []byte {
	return s.stamp(sig, at, s.tsaLeaf, s.tsaKey)
}

func (s *Sigstore) stamp(sig []byte, at time.Time, leaf *x509.Certificate, key *ecdsa.PrivateKey) []byte {
	raw, err := timestamp.CreateRequest(bytes.NewReader(sig), &timestamp.RequestOptions{Hash: crypto.SHA256})
	s.must(err)
	request, err := timestamp.ParseRequest(raw)
	s.must(err)
	t := timestamp.Timestamp{
		HashAlgorithm: request.HashAlgorithm, HashedMessage: request.HashedMessage, Time: at,
		Policy: asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 57264, 2}, AddTSACertificate: true,
	}
	out, err := t.CreateResponseWithOpts(leaf, key, crypto.SHA256)
	s.must(err)
	return out
}

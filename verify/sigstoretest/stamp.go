package sigstoretest

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/asn1"
	"time"

	"github.com/digitorus/pkcs7"
	"github.com/digitorus/timestamp"
)

// Stamp is the timestamp authority's word that a signature existed at a time.
func (s *Sigstore) Stamp(sig []byte, at time.Time) []byte {
	return s.stamp(sig, at, s.tsaLeaf, s.tsaKey)
}

// StampByStranger is signed by nobody who is trusted, and carries the trusted
// authority's certificate beside the stranger's.
func (s *Sigstore) StampByStranger(sig []byte, at time.Time) []byte {
	key := s.newKey()
	own := s.certify(timestamping("tsa."+s.name), nil, key.Public(), key)
	plain, err := timestamp.ParseResponse(s.stamp(sig, at, own, key))
	s.must(err)
	token, err := pkcs7.Parse(plain.RawToken)
	s.must(err)
	var certificate asn1.RawValue
	id := asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 47}
	s.must(token.UnmarshalSignedAttribute(id, &certificate))
	again, err := pkcs7.NewSignedData(token.Content)
	s.must(err)
	again.SetDigestAlgorithm(pkcs7.OIDDigestAlgorithmSHA256)
	again.SetContentType(asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 1, 4})
	again.GetSignedData().Version = 3
	again.AddCertificate(s.tsaLeaf)
	s.must(again.AddSigner(own, key, pkcs7.SignerInfoConfig{ExtraSignedAttributes: []pkcs7.Attribute{{Type: id, Value: certificate}}}))
	signed, err := again.Finish()
	s.must(err)
	out, err := asn1.Marshal(struct {
		Status struct{ Code int }
		Token  asn1.RawValue
	}{Token: asn1.RawValue{FullBytes: signed}})
	s.must(err)
	return out
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

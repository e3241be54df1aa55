package sigstoretest

import (
	"crypto"
	"crypto/sha256"
	"crypto/x509"

	commonpb "github.com/sigstore/protobuf-specs/gen/pb-go/common/v1"
	rootpb "github.com/sigstore/protobuf-specs/gen/pb-go/trustroot/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// TrustedRoot returns the instance's trusted_root.json on one line, so that
// several make a file of several roots.
func (s *Sigstore) TrustedRoot() []byte { return s.root(nil) }

// TrustedRootWithoutLogs returns a root such as GitHub's own for private
// repositories: an authority and a timestamp authority, and no log.
func (s *Sigstore) TrustedRootWithoutLogs() []byte {
	return s.root(func(r *rootpb.TrustedRoot) { r.Tlogs, r.Ctlogs = nil, nil })
}

// TrustedRootIn returns the root with other times of trust.
func (s *Sigstore) TrustedRootIn(change func(*Periods)) []byte {
	p := s.Periods
	change(&p)
	return s.rootOf(p, nil)
}

func (s *Sigstore) root(edit func(*rootpb.TrustedRoot)) []byte { return s.rootOf(s.Periods, edit) }

func (s *Sigstore) rootOf(p Periods, edit func(*rootpb.TrustedRoot)) []byte {
	r := &rootpb.TrustedRoot{
		MediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
		Tlogs: []*rootpb.TransparencyLogInstance{
			s.rekor1.instance("https://rekor1."+s.name, p.Rekor),
			s.rekor2.instance("https://rekor2."+s.name, p.Rekor),
		},
		Ctlogs:                 []*rootpb.TransparencyLogInstance{s.ct().instance("https://ct."+s.name, p.CT)},
		CertificateAuthorities: []*rootpb.CertificateAuthority{chain("https://ca."+s.name, p.CA, s.caCert, s.rootCert)},
		TimestampAuthorities:   []*rootpb.CertificateAuthority{chain("https://tsa."+s.name, p.TSA, s.tsaLeaf, s.tsaRoot)},
	}
	if edit != nil {
		edit(r)
	}
	data, err := protojson.Marshal(r)
	s.must(err)
	return data
}

func (l logKey) instance(url string, p Period) *rootpb.TransparencyLogInstance {
	return &rootpb.TransparencyLogInstance{
		BaseUrl: url, HashAlgorithm: commonpb.HashAlgorithm_SHA2_256,
		PublicKey: &commonpb.PublicKey{RawBytes: l.spki, KeyDetails: l.details, ValidFor: span(p)},
		LogId:     &commonpb.LogId{KeyId: l.id},
	}
}

func chain(uri string, p Period, certificates ...*x509.Certificate) *rootpb.CertificateAuthority {
	c := &commonpb.X509CertificateChain{}
	for _, one := range certificates {
		c.Certificates = append(c.Certificates, &commonpb.X509Certificate{RawBytes: one.Raw})
	}
	return &rootpb.CertificateAuthority{
		Subject: &commonpb.DistinguishedName{Organization: "example", CommonName: uri},
		Uri:     uri, CertChain: c, ValidFor: span(p),
	}
}

func span(p Period) *commonpb.TimeRange {
	r := &commonpb.TimeRange{Start: timestamppb.New(p.Start)}
	if !p.End.IsZero() {
		r.End = timestamppb.New(p.End)
	}
	return r
}

// logKey is a key that signs for a log.
type logKey struct {
	signer  crypto.Signer
	spki    []byte
	id      []byte
	details commonpb.PublicKeyDetails
}

func (s *Sigstore) ct() logKey { return s.ecdsaLog(s.ctKey) }

func (s *Sigstore) ecdsaLog(key crypto.Signer) logKey {
	der := s.spki(key.Public())
	id := sha256.Sum256(der)
	return logKey{key, der, id[:], commonpb.PublicKeyDetails_PKIX_ECDSA_P256_SHA_256}
}

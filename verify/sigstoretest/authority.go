package sigstoretest

import (
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"math/big"
	"net/url"
	"time"

	ct "github.com/google/certificate-transparency-go"
	"github.com/google/certificate-transparency-go/tls"
	"github.com/google/certificate-transparency-go/x509util"
	"github.com/sigstore/sigstore-go/pkg/fulcio/certificate"
	"github.com/sigstore/sigstore/pkg/cryptoutils"
)

// Identity is what a certificate says of its holder.
type Identity struct {
	// SAN is the identity, MoreSANs others beside it, all URIs.
	SAN      string
	MoreSANs []string
	// Email stands beside or instead of the SAN, OtherName instead of both.
	Email, OtherName string

	Issuer string
	// Extensions of a workflow's certificate, left out where empty.
	SourceRepository, SourceRef, SourceDigest string
	SignerWorkflow, RunnerEnvironment         string
	BuildConfig                               string
}

// GitHub is the identity of a workflow, "OWNER/REPO" and
// ".github/workflows/FILE", run for a reference on GitHub's runners.
func GitHub(repository, workflow, ref string) Identity {
	at := "https://github.com/" + repository + "/" + workflow + "@" + ref
	return Identity{
		SAN: at, Issuer: "https://token.actions.githubusercontent.com",
		SourceRepository: "https://github.com/" + repository, SourceRef: ref,
		SourceDigest:   "0123456789abcdef0123456789abcdef01234567",
		SignerWorkflow: at, BuildConfig: at, RunnerEnvironment: "github-hosted",
	}
}

// Kora is the identity of kora's release workflow for a version without "v".
func Kora(version string) Identity {
	return GitHub("runkora/kora", ".github/workflows/release.yml", "refs/tags/v"+version)
}

func authority(name string, from, to time.Time) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{Organization: []string{"example"}, CommonName: name},
		NotBefore: from, NotAfter: to,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign, BasicConstraintsValid: true, IsCA: true,
	}
}

// AuthorityEnd is when the certificate of the issuing authority ends.
var AuthorityEnd = Now.AddDate(25, 0, 0)

func issuing(name string, usage x509.ExtKeyUsage) *x509.Certificate {
	c := authority(name, Now.AddDate(-4, 0, 0), AuthorityEnd)
	c.ExtKeyUsage = []x509.ExtKeyUsage{usage}
	return c
}

func timestamping(name string) *x509.Certificate {
	usage, _ := asn1.Marshal([]asn1.ObjectIdentifier{{1, 3, 6, 1, 5, 5, 7, 3, 8}})
	c := authority(name, Now.AddDate(-4, 0, 0), Now.AddDate(29, 0, 0))
	c.IsCA, c.KeyUsage = false, x509.KeyUsageDigitalSignature
	c.ExtraExtensions = []pkix.Extension{{Id: asn1.ObjectIdentifier{2, 5, 29, 37}, Critical: true, Value: usage}}
	return c
}

func (s *Sigstore) certify(template, parent *x509.Certificate, key crypto.PublicKey, signer crypto.Signer) *x509.Certificate {
	if parent == nil {
		parent = template
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key, signer)
	s.must(err)
	c, err := x509.ParseCertificate(der)
	s.must(err)
	return c
}

// leaf issues a certificate that is valid for ten minutes around a time.
func (s *Sigstore) leaf(id Identity, key crypto.PublicKey, shape Shape) *x509.Certificate {
	t := &x509.Certificate{
		SerialNumber: big.NewInt(shape.At.UnixNano()), NotBefore: shape.At.Add(-time.Minute), NotAfter: shape.At.Add(9 * time.Minute),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning},
		BasicConstraintsValid: true, ExtraExtensions: s.extensions(id),
	}
	if !shape.CertificateFrom.IsZero() {
		t.NotBefore, t.NotAfter = shape.CertificateFrom, shape.CertificateFrom.Add(10*time.Minute)
	}
	for _, san := range append([]string{id.SAN}, id.MoreSANs...) {
		if san == "" {
			continue
		}
		u, err := url.Parse(san)
		s.must(err)
		t.URIs = append(t.URIs, u)
	}
	if id.Email != "" {
		t.EmailAddresses = []string{id.Email}
	}
	if id.OtherName != "" {
		name, err := cryptoutils.MarshalOtherNameSAN(id.OtherName, true)
		s.must(err)
		t.ExtraExtensions = append(t.ExtraExtensions, *name)
	}
	plain := s.certify(t, s.caCert, key, s.caKey)
	if shape.NoSCT {
		return plain
	}
	t.ExtraExtensions = append(t.ExtraExtensions, s.promise(plain, shape))
	return s.certify(t, s.caCert, key, s.caKey)
}

func (s *Sigstore) extensions(id Identity) []pkix.Extension {
	var out []pkix.Extension
	for _, e := range []struct {
		id   asn1.ObjectIdentifier
		text string
	}{
		{certificate.OIDIssuerV2, id.Issuer}, {certificate.OIDBuildSignerURI, id.SignerWorkflow},
		{certificate.OIDRunnerEnvironment, id.RunnerEnvironment}, {certificate.OIDSourceRepositoryURI, id.SourceRepository},
		{certificate.OIDSourceRepositoryRef, id.SourceRef}, {certificate.OIDSourceRepositoryDigest, id.SourceDigest},
		{certificate.OIDBuildConfigURI, id.BuildConfig},
	} {
		if e.text == "" {
			continue
		}
		value, err := asn1.MarshalWithParams(e.text, "utf8")
		s.must(err)
		out = append(out, pkix.Extension{Id: e.id, Value: value})
	}
	return out
}

// promise is the certificate log's: what it signs is the certificate as it
// would be without the promise.
func (s *Sigstore) promise(plain *x509.Certificate, shape Shape) pkix.Extension {
	key := s.ctKey
	if shape.OtherCTKey {
		key = s.newKey()
	}
	issuer := sha256.Sum256(s.caCert.RawSubjectPublicKeyInfo)
	entry := &ct.TimestampedEntry{
		Timestamp: uint64(shape.At.UnixMilli()), EntryType: ct.PrecertLogEntryType,
		PrecertEntry: &ct.PreCert{IssuerKeyHash: issuer, TBSCertificate: plain.RawTBSCertificate},
	}
	sct := &ct.SignedCertificateTimestamp{SCTVersion: ct.V1, Timestamp: entry.Timestamp}
	copy(sct.LogID.KeyID[:], s.ct().id)
	input, err := ct.SerializeSCTSignatureInput(*sct, ct.LogEntry{Leaf: ct.MerkleTreeLeaf{Version: ct.V1, LeafType: ct.TimestampedEntryLeafType, TimestampedEntry: entry}})
	s.must(err)
	sig, err := tls.CreateSignature(*key, tls.SHA256, input)
	s.must(err)
	sct.Signature = ct.DigitallySigned(sig)
	list, err := x509util.MarshalSCTsIntoSCTList([]*ct.SignedCertificateTimestamp{sct})
	s.must(err)
	raw, err := tls.Marshal(*list)
	s.must(err)
	value, err := asn1.Marshal(raw)
	s.must(err)
	return pkix.Extension{Id: asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 11129, 2, 4, 2}, Value: value}
}

package verify

import (
	"encoding/asn1"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sigstore/sigstore-go/pkg/bundle"
	"github.com/sigstore/sigstore-go/pkg/fulcio/certificate"
	sgverify "github.com/sigstore/sigstore-go/pkg/verify"

	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/policy"
)

// claimsOf reads what the verified certificate says. Without a certificate,
// which only a policy with a key takes, there are no claims.
func claimsOf(item evidence.Item, result *sgverify.VerificationResult) (policy.Claims, error) {
	if result.Signature == nil || result.Signature.Certificate == nil {
		return policy.Claims{}, nil
	}
	c := result.Signature.Certificate
	names, err := alternativeNames(item.Bundle)
	if err != nil {
		return policy.Claims{}, err
	}
	claims := policy.Claims{
		Identities:        []string{c.SubjectAlternativeName},
		Issuer:            c.Issuer,
		SourceRepository:  c.SourceRepositoryURI,
		SignerWorkflow:    c.BuildSignerURI,
		RunnerEnvironment: c.RunnerEnvironment,
	}
	if names != 1 {
		claims.Identities = make([]string, names)
	}
	return claims, nil
}

// alternativeNames counts the names of the certificate of any kind: a reader
// that takes only the first would overlook another.
func alternativeNames(b *bundle.Bundle) (int, error) {
	content, err := b.VerificationContent()
	if err != nil || content.Certificate() == nil {
		return 0, errors.New("the certificate cannot be read")
	}
	count := 0
	for _, e := range content.Certificate().Extensions {
		if !e.Id.Equal(asn1.ObjectIdentifier{2, 5, 29, 17}) {
			continue
		}
		var names []asn1.RawValue
		if rest, err := asn1.Unmarshal(e.Value, &names); err != nil || len(rest) > 0 {
			return 0, errors.New("the certificate's alternative names cannot be read")
		}
		count += len(names)
	}
	return count, nil
}

func signerOf(item evidence.Item, root string, result *sgverify.VerificationResult, claims policy.Claims, p policy.Policy) Signer {
	s := Signer{Evidence: item.Name, Root: root, Time: earliest(result), Issuer: claims.Issuer, Key: p.KeyName()}
	if p.Key() != nil && s.Key == "" {
		s.Key = "public key"
	}
	if len(claims.Identities) == 1 {
		s.Identity = claims.Identities[0]
	}
	if item.Statement != nil {
		s.PredicateType = item.Statement.PredicateType
	}
	if entries := item.Bundle.GetVerificationMaterial().GetTlogEntries(); len(entries) > 0 && len(result.VerifiedTimestamps) > 0 {
		index := entries[0].GetLogIndex()
		s.LogIndex = &index
	}
	if result.Signature != nil && result.Signature.Certificate != nil {
		s.build(result.Signature.Certificate)
	}
	return s
}

func (s *Signer) build(c *certificate.Summary) {
	s.SourceRepository, s.SourceRef, s.SourceDigest = c.SourceRepositoryURI, c.SourceRepositoryRef, c.SourceRepositoryDigest
	s.SignerWorkflow, s.RunnerEnvironment = c.BuildSignerURI, c.RunnerEnvironment
}

func earliest(result *sgverify.VerificationResult) *time.Time {
	var first *time.Time
	for _, t := range result.VerifiedTimestamps {
		if at := t.Timestamp.UTC(); first == nil || at.Before(*first) {
			first = &at
		}
	}
	return first
}

// otherFile reports whether a signature says itself that it is of other bytes.
func otherFile(item evidence.Item, a Artifact) bool {
	d := item.Bundle.GetMessageSignature().GetMessageDigest()
	value, known := a.Digests[messageAlgorithm(d.GetAlgorithm())]
	return item.Simple == nil && item.Statement == nil && known && hex.EncodeToString(d.GetDigest()) != value
}

func digestOf(item evidence.Item) string {
	d := item.Bundle.GetMessageSignature().GetMessageDigest()
	return fmt.Sprintf("%s:%x", messageAlgorithm(d.GetAlgorithm()), d.GetDigest())
}

// plain puts the verifier's own words on one line, without what a stranger
// could have put there to look like another line.
func plain(err error) string {
	const most = 400
	text := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, err.Error())
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

func compact(why []string) []string { return slices.Compact(why) }

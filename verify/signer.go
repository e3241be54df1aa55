package verify

import (
	"cmp"
	"encoding/asn1"
	"encoding/hex"
	"errors"
	"fmt"
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
	kinds, err := alternativeNames(item.Bundle)
	if err != nil {
		return policy.Claims{}, err
	}
	claims := policy.Claims{
		Identities: []string{c.SubjectAlternativeName}, Issuer: c.Issuer,
		SourceRepository: c.SourceRepositoryURI, SourceRef: c.SourceRepositoryRef, SourceDigest: c.SourceRepositoryDigest,
		SignerWorkflow: c.BuildSignerURI, BuildConfig: c.BuildConfigURI, RunnerEnvironment: c.RunnerEnvironment,
	}
	if len(kinds) != 1 {
		claims.Identities = make([]string, len(kinds))
		return claims, nil
	}
	claims.Kind = kinds[0]
	olderClaims(&claims, c)
	return claims, nil
}

// olderClaims fills in what certificates of before 2023 say in GitHub's own
// extensions, and the newer ones say in both.
func olderClaims(claims *policy.Claims, c *certificate.Summary) {
	if c.Issuer != policy.DefaultIssuer {
		return
	}
	if claims.SourceRepository == "" && c.GithubWorkflowRepository != "" {
		claims.SourceRepository = "https://github.com/" + c.GithubWorkflowRepository
	}
	claims.SourceRef = cmp.Or(claims.SourceRef, c.GithubWorkflowRef)
	claims.SourceDigest = cmp.Or(claims.SourceDigest, c.GithubWorkflowSHA)
}

// alternativeNames are the kinds of all names of the certificate: a reader
// that takes only the first would overlook another.
func alternativeNames(b *bundle.Bundle) ([]policy.NameKind, error) {
	content, err := b.VerificationContent()
	if err != nil || content.Certificate() == nil {
		return nil, errors.New("the certificate cannot be read")
	}
	var out []policy.NameKind
	for _, e := range content.Certificate().Extensions {
		if !e.Id.Equal(asn1.ObjectIdentifier{2, 5, 29, 17}) {
			continue
		}
		var names []asn1.RawValue
		if rest, err := asn1.Unmarshal(e.Value, &names); err != nil || len(rest) > 0 {
			return nil, errors.New("the certificate's alternative names cannot be read")
		}
		for _, n := range names {
			out = append(out, nameKinds[n.Tag])
		}
	}
	return out, nil
}

// nameKinds are the tags of RFC 5280's general names that count.
var nameKinds = map[int]policy.NameKind{0: policy.OtherName, 1: policy.Mail, 6: policy.URI}

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
	s.SourceRepository, s.SourceRef, s.SourceDigest = claims.SourceRepository, claims.SourceRef, claims.SourceDigest
	s.SignerWorkflow, s.RunnerEnvironment = claims.SignerWorkflow, claims.RunnerEnvironment
	return s
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

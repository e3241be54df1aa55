package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/policy"
)

// The types of a verification summary, https://slsa.dev/verification_summary/v1.
const (
	statementType = "https://in-toto.io/Statement/v1"
	summaryType   = "https://slsa.dev/verification_summary/v1"
	verifierID    = "https://github.com/runkora/kora/verify"
	policyURI     = "https://github.com/runkora/kora/blob/main/docs/verify.md"
)

// Summarized is what verification summaries are made of, besides the report.
type Summarized struct {
	// Version is kora's own, Time when the run ended.
	Version string
	Time    time.Time
	// Policy is what was asked of the signers, Key the fingerprint of the key
	// that was, "sha256:HEX"; empty for none.
	Policy policy.Options
	Key    string
	// Roots are the digests of the trust roots, "sha256:HEX", in any order; none
	// where a key alone was asked.
	Roots []string
	// Type is the predicate type that attestations had to be of; empty where a
	// signature was asked for, and for the provenance of a release.
	Type string
}

// ErrUnchecked is returned for a run of which something could not be checked:
// a summary has no word for that.
var ErrUnchecked = errors.New("no verification summary is written: something could not be checked, and a summary knows only passed and failed")

// VSA returns verification summaries, one in-toto statement a line and an
// artifact, as each is about one resource. They are not signed: whoever hands
// them on has to sign them. Of a whole run each is PASSED; else there is one
// that is FAILED for each artifact that was refused, and none for the others.
// What was refused before its digest was known can be no subject: it is returned
// by its name. kora judges signatures and provenance, and no level of SLSA: it
// claims none.
func VSA(found faults.List, r verify.Report, s Summarized) (text []byte, without []string, err error) {
	whole := Whole(found, r)
	all, without, err := resources(r)
	switch {
	case len(r.Artifacts) == 0:
		return nil, nil, errors.New("no verification summary is written: nothing was verified")
	case err != nil:
		return nil, nil, err
	case !whole && r.Refused == 0:
		return nil, nil, ErrUnchecked
	case !whole && !slices.ContainsFunc(all, func(one *summed) bool { return one.failed }):
		return nil, nil, errNoDigest
	}
	how, err := asked(s)
	if err != nil {
		return nil, nil, err
	}
	text, err = statements(all, whole, how, s)
	return text, without, err
}

// statements are the summaries of those that passed, or of those that failed.
func statements(all []*summed, whole bool, how resource, s Summarized) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, one := range all {
		if one.failed == whole {
			continue
		}
		out := statement{
			Type: statementType, Subject: []subject{one.subject}, PredicateType: summaryType,
			Predicate: predicate{
				Verifier:     verifier{verifierID, map[string]string{"kora": s.Version}},
				TimeVerified: s.Time.UTC().Format(time.RFC3339),
				ResourceURI:  one.uri, Policy: how,
				Result: "PASSED", Levels: []string{"SLSA_BUILD_LEVEL_UNEVALUATED"}, SLSAVersion: "1.0",
			},
		}
		if one.failed {
			out.Predicate.Result, out.Predicate.Levels = "FAILED", []string{"FAILED"}
		}
		if err := e.Encode(out); err != nil {
			return nil, fmt.Errorf("encode the verification summary: %w", err)
		}
	}
	return faults.EscapeJSON(b.Bytes()), nil
}

// Own reports whether a text begins with a verification summary of kora's.
func Own(text io.Reader) bool {
	var s statement
	err := json.NewDecoder(io.LimitReader(text, maxSummary)).Decode(&s)
	return err == nil && s.PredicateType == summaryType && s.Predicate.Verifier.ID == verifierID
}

// maxSummary bounds the one summary that is read to tell whose a file is.
const maxSummary = 1 << 20

type statement struct {
	Type          string    `json:"_type"`
	Subject       []subject `json:"subject"`
	PredicateType string    `json:"predicateType"`
	Predicate     predicate `json:"predicate"`
}

type subject struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

type predicate struct {
	Verifier     verifier `json:"verifier"`
	TimeVerified string   `json:"timeVerified"`
	ResourceURI  string   `json:"resourceUri"`
	Policy       resource `json:"policy"`
	Result       string   `json:"verificationResult"`
	Levels       []string `json:"verifiedLevels"`
	SLSAVersion  string   `json:"slsaVersion"`
}

type verifier struct {
	ID      string            `json:"id"`
	Version map[string]string `json:"version"`
}

type resource struct {
	URI         string            `json:"uri"`
	Digest      map[string]string `json:"digest"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// asked is the policy in words, kora's own where nothing was given, and the
// digest of these words: two summaries with one digest had one policy.
func asked(s Summarized) (resource, error) {
	o, words := s.Policy, map[string]string{}
	put := func(key, value string) {
		if value != "" {
			words[key] = value
		}
	}
	put("key", s.Key)
	put("trustRoot", strings.Join(slices.Compact(slices.Sorted(slices.Values(s.Roots))), " "))
	put("predicateType", s.Type)
	put("builder", o.Builder)
	if o.HostedRunner {
		put("runner", "github-hosted")
	}
	put("identity", o.Identity)
	put("identityExpression", o.IdentityRegexp)
	put("sourceRepository", o.SourceRepository)
	put("signerWorkflow", o.SignerWorkflow)
	put("sourceReference", o.SourceRef)
	put("issuer", o.Issuer)
	if s.Key == "" && o.Issuer == "" {
		put("issuer", policy.DefaultIssuer)
	}
	if s.Key == "" && o.Identity == "" && o.IdentityRegexp == "" && !o.ByBuild {
		put("identityExpression", policy.DefaultIdentityRegexp)
	}
	text, err := json.Marshal(words)
	if err != nil {
		return resource{}, fmt.Errorf("encode the policy: %w", err)
	}
	sum := sha256.Sum256(text)
	return resource{policyURI, map[string]string{"sha256": hex.EncodeToString(sum[:])}, words}, nil
}

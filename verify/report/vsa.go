package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/policy"
)

// The types of a verification summary, https://slsa.dev/verification_summary/v1.
const (
	statementType = "https://in-toto.io/Statement/v1"
	summaryType   = "https://slsa.dev/verification_summary/v1"
	verifierID    = "https://github.com/runkora/kora/verify"
)

// Summarized is what a verification summary is made of, besides the report.
type Summarized struct {
	// Version is kora's own, Time when the run ended.
	Version string
	Time    time.Time
	// Resource names what was verified: a release, a list of images.
	Resource string
	// Policy is what was asked of the signers.
	Policy policy.Options
}

// ErrUnchecked is returned for a report of which something could not be
// checked: a summary has no word for that.
var ErrUnchecked = errors.New("no verification summary is written: something could not be checked, and a summary knows only passed and failed")

// VSA returns an in-toto statement that sums the report up. It is not signed:
// whoever hands it on has to sign it. One artifact that was refused makes the
// whole of it FAILED. kora judges signatures and provenance, and no level of
// SLSA: it claims none.
func VSA(r verify.Report, s Summarized) ([]byte, error) {
	switch {
	case r.Unchecked > 0 && r.Refused == 0:
		return nil, ErrUnchecked
	case len(r.Artifacts) == 0:
		return nil, errors.New("no verification summary is written: nothing was verified")
	}
	out := statement{
		Type: statementType, Subject: subjects(r), PredicateType: summaryType,
		Predicate: predicate{
			Verifier:     verifier{verifierID, map[string]string{"kora": s.Version}},
			TimeVerified: s.Time.UTC().Format(time.RFC3339),
			ResourceURI:  s.Resource,
			Policy:       resource{"https://github.com/runkora/kora/blob/main/docs/verify.md", asked(s.Policy)},
			Result:       "PASSED", Levels: []string{"SLSA_BUILD_LEVEL_UNEVALUATED"}, SLSAVersion: "1.0",
		},
	}
	if r.Refused > 0 {
		out.Predicate.Result, out.Predicate.Levels = "FAILED", []string{"FAILED"}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(out); err != nil {
		return nil, fmt.Errorf("encode the verification summary: %w", err)
	}
	return b.Bytes(), nil
}

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
	Annotations map[string]string `json:"annotations,omitempty"`
}

// subjects are the artifacts whose digest is known, each once.
func subjects(r verify.Report) []subject {
	out, seen := []subject{}, map[string]bool{}
	for _, v := range r.Artifacts {
		hex, ok := strings.CutPrefix(v.Digest, "sha256:")
		if !ok || hex == "" || seen[v.Artifact+v.Digest] {
			continue
		}
		seen[v.Artifact+v.Digest] = true
		out = append(out, subject{v.Artifact, map[string]string{"sha256": hex}})
	}
	return out
}

// asked is the policy in words; kora's own where nothing was given.
func asked(o policy.Options) map[string]string {
	out := map[string]string{}
	put := func(key, value string) {
		if value != "" {
			out[key] = value
		}
	}
	put("key", o.KeyName)
	put("identity", o.Identity)
	put("identityExpression", o.IdentityRegexp)
	put("sourceRepository", o.SourceRepository)
	put("signerWorkflow", o.SignerWorkflow)
	put("issuer", o.Issuer)
	if o.KeyName == "" && o.Issuer == "" {
		put("issuer", policy.DefaultIssuer)
	}
	if o.KeyName == "" && o.Identity == "" && o.IdentityRegexp == "" && o.SignerWorkflow == "" && o.SourceRepository == "" {
		put("identityExpression", policy.DefaultIdentityRegexp)
	}
	return out
}

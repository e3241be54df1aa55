package verify

import (
	"errors"
	"maps"

	sgverify "github.com/sigstore/sigstore-go/pkg/verify"

	"github.com/runkora/kora/verify/evidence"
)

// kept is held, once for all artifacts of an attestation that many share: who
// signed it, and whether that holds, is the same for each of its subjects. Which
// of them an artifact is was looked at before, and is for every artifact (R47).
func (v *Verifier) kept(a Artifact, item evidence.Item, q question) (Signer, *Reason) {
	if item.Kept == nil || item.Statement == nil || len(v.checks) == 0 {
		return v.held(a, item, q)
	}
	type answer struct {
		signer Signer
		reason *Reason
	}
	// The checks are those of one verifier, however often it was copied.
	asked := struct {
		of *check
		q  question
	}{&v.checks[0], q}
	got := item.Kept.Once(asked, func() any {
		signer, reason := v.held(a, item, q)
		return answer{signer, reason}
	}).(answer)
	return got.signer, got.reason
}

// errTwoReadings is a statement of which two readers see two things.
var errTwoReadings = errors.New("its subjects are others for another reader of the statement")

// alike compares the subjects that kora read with those that sigstore-go did: the
// signature was checked for no artifact, and kora's reading says which it is about.
func alike(own *evidence.Statement, result *sgverify.VerificationResult) error {
	other := result.Statement.GetSubject()
	if len(own.Subjects) != len(other) {
		return errTwoReadings
	}
	for i, s := range other {
		known := map[string]string{}
		for _, algorithm := range []string{"sha256", "sha384", "sha512"} {
			if value, ok := s.GetDigest()[algorithm]; ok {
				known[algorithm] = value
			}
		}
		if !maps.Equal(known, own.Subjects[i].Digests) {
			return errTwoReadings
		}
	}
	return nil
}

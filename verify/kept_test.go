package verify

import (
	"bytes"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	sgverify "github.com/sigstore/sigstore-go/pkg/verify"

	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/roots"
	"github.com/runkora/kora/verify/sigstoretest"
)

// R47: the signature of a line is checked once, however many files of a release
// stand in it and however many of them are asked about at the same time; which
// file it is about is looked at for each of them.
func TestALineIsCheckedOnce(t *testing.T) {
	s := sigstoretest.New(t)
	trusted, found := roots.Parse("trusted_root.json", s.TrustedRoot())
	v, err := New(policy.Kora(), trusted)
	if found.Refused() || err != nil {
		t.Fatal(found, err)
	}
	var checked atomic.Int64
	check := v.checks[0].verify
	v.checks[0].verify = func(e sgverify.SignedEntity, p sgverify.PolicyBuilder) (*sgverify.VerificationResult, error) {
		checked.Add(1)
		return check(e, p)
	}
	files, lines := release(s)
	raw := evidence.Raw{Name: "lines", Format: evidence.Lines, Bytes: lines}.Once()
	var all sync.WaitGroup
	for i, a := range files {
		all.Go(func() {
			got := v.Within(t.Context()).Provenance(a, []evidence.Raw{raw})
			if got.Verified() != (i < len(files)-1) || got.Verified() && len(got.Signers) != 2 {
				t.Errorf("%s: %+v", a.Name, got)
			}
		})
	}
	all.Wait()
	if n := checked.Load(); n != 3 {
		t.Errorf("three lines of %d files were checked %d times", len(files), n)
	}
	if got := v.Attestation(files[0], []evidence.Raw{raw}, "https://example.com/other"); got.Verified() {
		t.Errorf("the answer to another question: %+v", got)
	}
}

// release is a number of files, of which the last is in no line, and lines about
// all the others: two of kora's, one of a fork's, and one of another file.
func release(s *sigstoretest.Sigstore) ([]Artifact, []byte) {
	var files []Artifact
	var digests []string
	for i := range 20 {
		files = append(files, ByBytes(fmt.Sprint("file ", i), fmt.Append(nil, i)))
		digests = append(digests, files[i].Digest())
	}
	provenance := sigstoretest.ProvenanceV1("runkora/kora", ".github/workflows/release.yml", "refs/tags/v1.4.0")
	of := func(id sigstoretest.Identity, digests ...string) []byte {
		return s.SignStatement(id, sigstoretest.Statement(evidence.ProvenanceV1, provenance, digests...))
	}
	kora := sigstoretest.Kora("1.4.0")
	fork := sigstoretest.GitHub("example/kora", ".github/workflows/build.yml", "refs/heads/main")
	return files, bytes.Join([][]byte{of(kora, digests[:19]...), of(fork, digests[:19]...), of(kora, digests[:19]...), of(kora, sigstoretest.DigestOf([]byte("another")))}, []byte("\n"))
}

// R47: a statement of which sigstore-go sees other subjects proves nothing.
func TestTwoReadingsOfAStatement(t *testing.T) {
	s := sigstoretest.New(t)
	trusted, _ := roots.Parse("trusted_root.json", s.TrustedRoot())
	v, err := New(policy.Kora(), trusted)
	if err != nil {
		t.Fatal(err)
	}
	files, lines := release(s)
	check := v.checks[0].verify
	v.checks[0].verify = func(e sgverify.SignedEntity, p sgverify.PolicyBuilder) (*sgverify.VerificationResult, error) {
		result, err := check(e, p)
		if err == nil {
			result.Statement.Subject[0].Digest["sha256"] = "00"
		}
		return result, err
	}
	got := v.Provenance(files[1], []evidence.Raw{{Name: "lines", Format: evidence.Lines, Bytes: lines}})
	if got.Verified() || !got.has(BadEvidence) {
		t.Errorf("%+v", got)
	}
}

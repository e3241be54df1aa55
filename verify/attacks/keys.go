package attacks

import (
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/sigstoretest"
)

// keys are signatures with a public key instead of a certificate.
func keys(s *sigstoretest.Sigstore) []Case {
	key, public := s.NewKey()
	other, otherPublic := s.NewKey()
	right := policy.Options{Key: public, KeyName: "cosign.pub"}
	alone := sigstoretest.Shape{Key: key, NoLog: true}
	signed := func(name string, want verify.Kind, says string, shape sigstoretest.Shape, p policy.Options) Case {
		return Case{Name: name, Want: want, Says: says, Policy: p, NoRoot: true, Evidence: s.SignBlob(sigstoretest.Identity{}, Chart, shape)}
	}
	logged := func(c Case, name string) Case { c.Name, c.NoRoot = name, false; return c }
	return []Case{
		signed("a key alone", verify.Verified, "", alone, right),
		logged(signed("", verify.Verified, "", sigstoretest.Shape{Key: key}, right), "a key and a log entry, with a root"),
		logged(signed("", verify.Verified, "", sigstoretest.Shape{Key: key, Rekor2: true, Timestamp: true}, right), "a key and the second log, with a root"),
		logged(signed("", verify.BadEvidence, "--trusted-root asks for one beside the key", alone, right), "a key without a log entry, with a root"),
		signed("another key", verify.BadEvidence, "", sigstoretest.Shape{Key: other, NoLog: true}, right),
		signed("the right signature under another key", verify.BadEvidence, "", alone, policy.Options{Key: otherPublic, KeyName: "cosign.pub"}),
		{Name: "a certificate where a key and a root are asked for", Want: verify.NoneMatches, Says: "signed by somebody else", Policy: right, Evidence: s.SignBlob(Kora, Chart)},
		{Name: "a certificate where a key is asked for", Want: verify.NoneMatches, Says: "signed by somebody else", NoRoot: true, Policy: right, Evidence: s.SignBlob(Kora, Chart)},
		{Name: "a key where an identity is asked for", Want: verify.NoneMatches, Says: "signed by somebody else", Evidence: s.SignBlob(Kora, Chart, sigstoretest.Shape{Key: key})},
		{Name: "an attestation by a key", Ask: Provenance, Want: verify.Verified, NoRoot: true, Policy: right, Evidence: s.SignStatement(sigstoretest.Identity{}, provenance(digest()), alone)},
		{Name: "an attestation by another key", Ask: Provenance, Want: verify.BadEvidence, NoRoot: true, Policy: policy.Options{Key: otherPublic, KeyName: "cosign.pub"}, Evidence: s.SignStatement(sigstoretest.Identity{}, provenance(digest()), alone)},
		{Name: "another artifact with a key", Artifact: []byte("another"), Want: verify.NoneMatches, NoRoot: true, Policy: right, Evidence: s.SignBlob(sigstoretest.Identity{}, Chart, alone)},
	}
}

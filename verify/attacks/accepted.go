package attacks

import (
	"bytes"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/sigstoretest"
)

// documented is the expression that kora's documents print for cosign.
const documented = `^https://github\.com/runkora/kora/\.github/workflows/release\.yml@refs/tags/v`

// accepted are the ordinary cases: what refuses everything protects nobody.
func accepted(s *sigstoretest.Sigstore) []Case {
	ok := func(name string, c Case) Case { c.Name, c.Want = name, verify.Verified; return c }
	fork := sigstoretest.GitHub("example/kora", ".github/workflows/build.yml", "refs/heads/main")
	called := Kora
	called.SourceRepository, called.SourceRef = "https://github.com/example/kora", "refs/heads/main"
	mail := sigstoretest.Identity{Email: "somebody@example.com", Issuer: "https://accounts.example.com"}
	user := sigstoretest.Identity{OtherName: "somebody!example.com", Issuer: "https://accounts.example.com"}
	foreign := s.SignStatement(Kora, provenance(sigstoretest.DigestOf([]byte("another chart"))))
	mine := s.SignStatement(Kora, provenance(digest()))
	old := sigstoretest.StatementOf(v01, slsa02, sigstoretest.ProvenanceV02("runkora/kora", ".github/workflows/release.yml", "refs/tags/v1.4.0"), digest())
	return []Case{
		ok("a bundle of a file", Case{Evidence: s.SignBlob(Kora, Chart)}),
		ok("a bundle v0.1 with a promise alone", Case{Evidence: s.SignBlob(Kora, Chart, sigstoretest.Shape{Version: "0.1", NoProof: true})}),
		ok("a bundle v0.2", Case{Evidence: s.SignBlob(Kora, Chart, sigstoretest.Shape{Version: "0.2"})}),
		ok("an entry of the second log with a timestamp", Case{Evidence: s.SignBlob(Kora, Chart, sigstoretest.Shape{Rekor2: true, Timestamp: true})}),
		ok("a proof and a timestamp without a promise", Case{Evidence: s.SignBlob(Kora, Chart, sigstoretest.Shape{NoPromise: true, Timestamp: true})}),
		ok("a digest instead of the file", Case{Evidence: s.SignBlob(Kora, Chart), ByDigest: true}),
		ok("a cosign sign/v1 statement about a file", Case{Evidence: s.SignImage(Kora, digest())}),
		ok("a pre-release", Case{Evidence: s.SignBlob(sigstoretest.Kora("1.5.0-rc.1"), Chart)}),
		ok("a fork with its own identity", Case{Evidence: s.SignBlob(fork, Chart), Policy: policy.Options{Identity: fork.SAN}}),
		ok("a fork with an expression", Case{Evidence: s.SignBlob(fork, Chart), Policy: policy.Options{IdentityRegexp: `^https://github\.com/example/kora/\.github/workflows/build\.yml@refs/heads/(main|stable)$`}}),
		ok("the expression of kora's documents", Case{Evidence: s.SignBlob(Kora, Chart), Policy: policy.Options{IdentityRegexp: documented}}),
		ok("kora's workflow called by a repository that is asked for", Case{Evidence: s.SignBlob(called, Chart), Policy: policy.Options{Identity: Kora.SAN, SourceRepository: "example/kora"}}),
		ok("a mail address", Case{Evidence: s.SignBlob(mail, Chart), Policy: policy.Options{Identity: mail.Email, Issuer: mail.Issuer}}),
		ok("a user name", Case{Evidence: s.SignBlob(user, Chart), Policy: policy.Options{Identity: user.OtherName, Issuer: user.Issuer}}),
		ok("an instance without logs, by a timestamp", Case{
			Evidence: s.SignBlob(Kora, Chart, sigstoretest.Shape{NoLog: true, NoSCT: true, Timestamp: true}), Root: s.TrustedRootWithoutLogs(),
		}),
		ok("one of two roots in a file", Case{
			Evidence: s.SignBlob(Kora, Chart), Root: append(append(s.TrustedRootWithoutLogs(), '\n'), s.TrustedRoot()...),
		}),
		ok("a provenance v1", Case{Ask: Provenance, Evidence: mine}),
		ok("a provenance v0.2 in a statement v0.1", Case{Ask: Provenance, Evidence: s.SignStatement(Kora, old)}),
		ok("a provenance v1 in a statement v0.1", Case{Ask: Provenance, Evidence: s.SignStatement(Kora,
			sigstoretest.StatementOf(v01, slsa1, sigstoretest.ProvenanceV1("runkora/kora", ".github/workflows/release.yml", "refs/tags/v1.4.0"), digest()))}),
		ok("the second line of a jsonl", Case{Ask: Provenance, Evidence: bytes.Join([][]byte{foreign, mine, nil}, []byte("\n"))}),
		ok("a good line beside one that is junk", Case{Ask: Provenance, Evidence: bytes.Join([][]byte{[]byte(`{"mediaType":"x"}`), mine}, []byte("\n"))}),
		ok("a good line behind one that is no JSON", Case{Ask: Provenance, Evidence: bytes.Join([][]byte{[]byte("downloaded by hand"), mine}, []byte("\n"))}),
		ok("a good line before one that is no JSON", Case{Ask: Provenance, Evidence: bytes.Join([][]byte{mine, []byte("downloaded by hand"), nil}, []byte("\n"))}),
		ok("a good line behind half a bundle", Case{Ask: Provenance, Evidence: bytes.Join([][]byte{mine[:len(mine)/2], mine}, []byte("\n"))}),
		ok("the second subject of a statement", Case{Ask: Provenance, Evidence: s.SignStatement(Kora, provenance(sigstoretest.DigestOf(nil), digest()))}),
		ok("an attestation of any type", Case{Ask: Attestation, Type: "any", Evidence: mine}),
		ok("an attestation as slsaprovenance", Case{Ask: Attestation, Type: "slsaprovenance", Evidence: mine}),
		ok("an attestation by its URI", Case{Ask: Attestation, Type: "https://spdx.dev/Document", Evidence: s.SignStatement(Kora, sigstoretest.Statement("https://spdx.dev/Document", map[string]any{"spdxVersion": "SPDX-2.3"}, digest()))}),
	}
}

package attacks

import (
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/sigstoretest"
)

// references are workflows whose reference or file has an @ in its name, or
// differs by case alone (R45, R47).
func references(s *sigstoretest.Sigstore) []Case {
	const repository, tag = "acme/mono", "refs/tags/@acme/foo@1.0.0"
	mono := sigstoretest.GitHub(repository, workflow, tag)
	at := func(file, ref string) (sigstoretest.Identity, []byte) {
		return sigstoretest.GitHub(repository, file, ref), sigstoretest.Statement(slsa1, sigstoretest.ProvenanceV1(repository, file, ref), digest())
	}
	built := func(name string, file, ref string, p policy.Options, want verify.Kind, says string) Case {
		id, statement := at(file, ref)
		return Case{Name: name, Ask: Provenance, Evidence: s.SignStatement(id, statement), Policy: p, Want: want, Says: says}
	}
	const file = repository + "/" + workflow
	asked := policy.Options{SignerWorkflow: file}
	tagged := policy.Options{SignerWorkflow: file + "@" + tag}
	return []Case{
		{Name: "a tag with an @, by its identity", Evidence: s.SignBlob(mono, Chart), Policy: policy.Options{Identity: mono.SAN}, Want: verify.Verified},
		built("a tag with an @, by its workflow", workflow, tag, asked, verify.Verified, ""),
		built("a tag with an @, by its repository", workflow, tag, policy.Options{SourceRepository: repository}, verify.Verified, ""),
		built("a tag with an @, by itself", workflow, tag, tagged, verify.Verified, ""),
		built("a tag with an @, the owner in other letters", workflow, tag, policy.Options{SignerWorkflow: "ACME/Mono/" + workflow + "@" + tag}, verify.Verified, ""),
		built("another tag with an @", workflow, "refs/tags/@acme/foo@1.0.1", tagged, verify.NoneMatches, "the identity is"),
		built("a tag with an @ in other letters", workflow, "refs/tags/@Acme/foo@1.0.0", tagged, verify.NoneMatches, "the identity is"),
		built("a tag that holds a reference", workflow, "refs/tags/x@refs/tags/v1.4.0", policy.Options{SignerWorkflow: file + "@refs/tags/v1.4.0"}, verify.NoneMatches, "the identity is"),
		built("a workflow by a commit", workflow, mono.SourceDigest, asked, verify.Verified, ""),
		built("a file that holds the name of another before an @", workflow+"@x.yml", "refs/heads/evil", asked, verify.NoneMatches, "the identity is"),
		built("a file with an @", ".github/workflows/a@b.yml", "refs/heads/main", policy.Options{SignerWorkflow: repository + "/.github/workflows/a@b.yml@refs/heads/main"}, verify.Verified, ""),
		built("a file in other letters", ".github/workflows/Release.yml", tag, asked, verify.NoneMatches, "the identity is"),
		built("a directory of workflows in other letters", ".GitHub/workflows/release.yml", tag, policy.Options{SourceRepository: repository}, verify.NoneMatches, "the identity is"),
		{Name: "an expression with a quote that is left open", Evidence: s.SignBlob(mono, Chart), Policy: policy.Options{IdentityRegexp: `\Q` + mono.SAN}, Want: verify.Verified},
		{Name: "an expression with a quote is no beginning", Evidence: s.SignBlob(mono, Chart), Policy: policy.Options{IdentityRegexp: `\Q` + mono.SAN[:len(mono.SAN)-1]}, Want: verify.NoneMatches, Says: "the identity is"},
		{Name: "an expression whose first alternative is a beginning", Evidence: s.SignBlob(mono, Chart), Policy: policy.Options{IdentityRegexp: `\Qhttps://github.com\E|\Q` + mono.SAN}, Want: verify.Verified},
	}
}

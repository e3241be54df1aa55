package attacks

import (
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/sigstoretest"
)

const workflow = ".github/workflows/release.yml"

// provenances are statements about a build whose signer is another than the
// statement says or the reader wants (R47).
func provenances(s *sigstoretest.Sigstore) []Case {
	asked := policy.Options{SourceRepository: "runkora/kora", SignerWorkflow: "runkora/kora/" + workflow}
	say := func(predicateType string, predicate any) []byte {
		return sigstoretest.Statement(predicateType, predicate, digest())
	}
	v1 := func(repository string) []byte {
		return say(slsa1, sigstoretest.ProvenanceV1(repository, workflow, "refs/tags/v1.4.0"))
	}
	// A workflow that any repository may call signs for whoever calls it.
	called := sigstoretest.GitHub("example/reusable", ".github/workflows/build.yml", "refs/tags/v1.0.0")
	called.SourceRepository = "https://github.com/runkora/kora"
	foreign := called
	foreign.SourceRepository = "https://github.com/example/evil"
	reusable := policy.Options{SourceRepository: "runkora/kora", SignerWorkflow: "example/reusable/.github/workflows/build.yml"}
	branch := sigstoretest.GitHub("runkora/kora", workflow, "refs/heads/main")
	built := func(name string, want verify.Kind, says string, id sigstoretest.Identity, p policy.Options, statement []byte) Case {
		return Case{Name: name, Ask: Provenance, Want: want, Says: says, Policy: p, Evidence: s.SignStatement(id, statement)}
	}
	with := func(edit func(*policy.Options)) policy.Options { p := asked; edit(&p); return p }
	return []Case{
		built("a provenance by repository and workflow", verify.Verified, "", Kora, asked, v1("runkora/kora")),
		built("any branch of the workflow, as gh takes it", verify.Verified, "", branch, asked, v1("runkora/kora")),
		built("a branch where a tag is asked for", verify.NoneMatches, "signer workflow", branch, with(func(p *policy.Options) { p.SignerWorkflow += "@refs/tags/v1.4.0"; p.Identity = branch.SAN }), v1("runkora/kora")),
		built("a repository in other letters, as GitHub takes it", verify.Verified, "", Kora, with(func(p *policy.Options) { p.SourceRepository = "RunKora/Kora" }), v1("runkora/kora")),
		built("a reusable workflow called by the repository", verify.Verified, "", called, reusable, v1("runkora/kora")),
		built("a reusable workflow called by an unrelated repository", verify.NoneMatches, "source repository", foreign, reusable, v1("example/evil")),
		built("a reusable workflow, with kora's repository in the predicate alone", verify.NoneMatches, "source repository", foreign, reusable, v1("runkora/kora")),
		built("a reusable workflow where only the repository is asked for", verify.NoneMatches, "the identity is", called, policy.Options{SourceRepository: "runkora/kora"}, v1("runkora/kora")),
		built("any workflow of the repository asked for", verify.Verified, "", sigstoretest.GitHub("runkora/kora", ".github/workflows/other.yml", "refs/heads/main"), policy.Options{SourceRepository: "runkora/kora"}, v1("runkora/kora")),
		built("a repository that begins like the one asked for", verify.NoneMatches, "source repository", sigstoretest.GitHub("runkora/kora-evil", workflow, "refs/tags/v1.4.0"), policy.Options{SourceRepository: "runkora/kora"}, v1("runkora/kora-evil")),
		built("CVE-2026-48501: a workflow of which only the beginning is asked for", verify.NoneMatches, "the identity is", sigstoretest.GitHub("runkora/kora", workflow+".evil.yml", "refs/heads/main"), asked, v1("runkora/kora")),
		built("CVE-2026-48501: a workflow whose dot is another character", verify.NoneMatches, "the identity is", sigstoretest.GitHub("runkora/kora", ".github/workflows/release-yml", "refs/heads/main"), asked, v1("runkora/kora")),
		built("a predicate v1 that names another repository than the certificate", verify.NoneMatches, "of the provenance", Kora, asked, v1("example/evil")),
		built("GHSA-r2xv-vpr2-42m9: a predicate v0.2 that names another repository than the certificate", verify.NoneMatches, "of the provenance", Kora, asked, say(slsa02, sigstoretest.ProvenanceV02("example/evil", workflow, "refs/tags/v1.4.0"))),
		built("another builder than the one asked for", verify.NoneMatches, "the builder is", Kora, with(func(p *policy.Options) { p.Builder = "https://example.com/builder" }), v1("runkora/kora")),
		built("the builder asked for", verify.Verified, "", Kora, with(func(p *policy.Options) {
			p.Builder = "https://github.com/runkora/kora/" + workflow + "@refs/tags/v1.4.0"
		}), v1("runkora/kora")),
		built("a provenance without a builder", verify.BadEvidence, "builder", Kora, asked, say(slsa1, map[string]any{"buildDefinition": map[string]any{}})),
		built("a provenance whose predicate is a text", verify.BadEvidence, "", Kora, asked, say(slsa1, "kora")),
		built("a provenance without a predicate", verify.BadEvidence, "", Kora, asked, say(slsa1, nil)),
		built("a provenance v0.1", verify.NoneMatches, "predicate type", Kora, asked, say("https://slsa.dev/provenance/v0.1", map[string]any{})),
		built("a provenance v1 by a longer name", verify.NoneMatches, "predicate type", Kora, asked, say(slsa1+"/", sigstoretest.ProvenanceV1("runkora/kora", workflow, "refs/tags/v1.4.0"))),
		built("another repository of another owner", verify.NoneMatches, "source repository", sigstoretest.GitHub("example/kora", workflow, "refs/tags/v1.4.0"), with(func(p *policy.Options) { p.SignerWorkflow = "example/kora/" + workflow }), v1("example/kora")),
	}
}

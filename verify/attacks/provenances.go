package attacks

import (
	"strings"

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
	at := func(repository, ref string) []byte {
		return say(slsa1, sigstoretest.ProvenanceV1(repository, workflow, ref))
	}
	v1 := func(repository string) []byte { return at(repository, "refs/tags/v1.4.0") }
	// A workflow that any repository may call signs for whoever calls it.
	called := sigstoretest.GitHub("example/reusable", ".github/workflows/build.yml", "refs/tags/v1.0.0")
	called.SourceRepository, called.SourceRef = "https://github.com/runkora/kora", "refs/tags/v1.4.0"
	called.BuildConfig = Kora.BuildConfig
	foreign := called
	foreign.SourceRepository = "https://github.com/example/evil"
	reusable := policy.Options{SourceRepository: "runkora/kora", SignerWorkflow: "example/reusable/.github/workflows/build.yml"}
	branch := sigstoretest.GitHub("runkora/kora", workflow, "refs/heads/main")
	built := func(name string, want verify.Kind, says string, id sigstoretest.Identity, p policy.Options, statement []byte) Case {
		return Case{Name: name, Ask: Provenance, Want: want, Says: says, Policy: p, Evidence: s.SignStatement(id, statement)}
	}
	// said is the right provenance with one part of it said otherwise.
	said := func(path string, value any) []byte {
		predicate := sigstoretest.ProvenanceV1("runkora/kora", workflow, "refs/tags/v1.4.0")
		part, keys := predicate, strings.Split(path, ".")
		for _, key := range keys[:len(keys)-1] {
			part = part[key].(map[string]any)
		}
		part[keys[len(keys)-1]] = value
		return say(slsa1, predicate)
	}
	dependency := func(ref, commit string) any {
		return []any{map[string]any{"uri": "git+https://github.com/runkora/kora" + ref, "digest": map[string]any{"gitCommit": commit}}}
	}
	with := func(edit func(*policy.Options)) policy.Options { p := asked; edit(&p); return p }
	return []Case{
		built("a provenance by repository and workflow", verify.Verified, "", Kora, asked, v1("runkora/kora")),
		built("any branch of the workflow, as gh takes it", verify.Verified, "", branch, asked, at("runkora/kora", "refs/heads/main")),
		built("a branch where a tag is asked for", verify.NoneMatches, "signer workflow", branch, with(func(p *policy.Options) { p.SignerWorkflow += "@refs/tags/v1.4.0"; p.Identity = branch.SAN }), v1("runkora/kora")),
		built("a repository in other letters, as GitHub takes it", verify.Verified, "", Kora, with(func(p *policy.Options) { p.SourceRepository = "RunKora/Kora" }), v1("runkora/kora")),
		built("a reusable workflow called by the repository", verify.Verified, "", called, reusable, v1("runkora/kora")),
		built("a reusable workflow called by an unrelated repository", verify.NoneMatches, "source repository", foreign, reusable, v1("example/evil")),
		built("a reusable workflow, with kora's repository in the predicate alone", verify.NoneMatches, "source repository", foreign, reusable, v1("runkora/kora")),
		built("a reusable workflow where only the repository is asked for", verify.NoneMatches, "the identity is", called, policy.Options{SourceRepository: "runkora/kora"}, v1("runkora/kora")),
		built("any workflow of the repository asked for", verify.Verified, "", sigstoretest.GitHub("runkora/kora", ".github/workflows/other.yml", "refs/heads/main"), policy.Options{SourceRepository: "runkora/kora"}, say(slsa1, sigstoretest.ProvenanceV1("runkora/kora", ".github/workflows/other.yml", "refs/heads/main"))),
		built("a repository that begins like the one asked for", verify.NoneMatches, "source repository", sigstoretest.GitHub("runkora/kora-evil", workflow, "refs/tags/v1.4.0"), policy.Options{SourceRepository: "runkora/kora"}, v1("runkora/kora-evil")),
		built("CVE-2026-48501: a workflow of which only the beginning is asked for", verify.NoneMatches, "the identity is", sigstoretest.GitHub("runkora/kora", workflow+".evil.yml", "refs/heads/main"), asked, v1("runkora/kora")),
		built("CVE-2026-48501: a workflow whose dot is another character", verify.NoneMatches, "the identity is", sigstoretest.GitHub("runkora/kora", ".github/workflows/release-yml", "refs/heads/main"), asked, v1("runkora/kora")),
		built("a predicate v1 that names another repository than the certificate", verify.NoneMatches, "of the provenance", Kora, asked, v1("example/evil")),
		built("GHSA-r2xv-vpr2-42m9: a predicate v0.2 that names another repository than the certificate", verify.NoneMatches, "of the provenance", Kora, asked, say(slsa02, sigstoretest.ProvenanceV02("example/evil", workflow, "refs/tags/v1.4.0"))),
		built("a predicate v1 of another reference of the workflow than the certificate's", verify.NoneMatches, "reference of the workflow of the provenance", Kora, asked, at("runkora/kora", "refs/tags/v1.3.0")),
		built("a predicate v0.2 of another reference than the certificate's", verify.NoneMatches, "source reference of the provenance", Kora, asked, say(slsa02, sigstoretest.ProvenanceV02("runkora/kora", workflow, "refs/tags/v1.3.0"))),
		built("a builder.id at another reference than the certificate's", verify.NoneMatches, "builder of the provenance", Kora, asked, said("runDetails.builder.id", Kora.SAN[:len(Kora.SAN)-1]+"9")),
		built("a builder.id without the certificate's reference", verify.NoneMatches, "builder of the provenance", Kora, asked, said("runDetails.builder.id", "https://github.com/runkora/kora/"+workflow)),
		built("a builder.id that is no workflow, as npm writes it", verify.Verified, "", Kora, asked, said("runDetails.builder.id", "https://github.com/actions/runner/github-hosted")),
		built("a dependency of another reference of the source than the certificate's", verify.NoneMatches, "source reference of the provenance", Kora, asked, said("buildDefinition.resolvedDependencies", dependency("@refs/heads/main", Kora.SourceDigest))),
		built("a dependency of another commit of the source than the certificate's", verify.NoneMatches, "commit of the provenance", Kora, asked, said("buildDefinition.resolvedDependencies", dependency("@refs/tags/v1.4.0", strings.Repeat("0", 40)))),
		built("a dependency of the certificate's reference and commit", verify.Verified, "", Kora, asked, said("buildDefinition.resolvedDependencies", dependency("@refs/tags/v1.4.0", Kora.SourceDigest))),
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

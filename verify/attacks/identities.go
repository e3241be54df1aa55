package attacks

import (
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/sigstoretest"
)

// identities are good signatures of somebody whose name looks right.
func identities(s *sigstoretest.Sigstore) []Case {
	const workflow = ".github/workflows/release.yml"
	signed := func(name string, id sigstoretest.Identity, p policy.Options, says string) Case {
		return Case{Name: name, Evidence: s.SignBlob(id, Chart), Policy: p, Want: verify.NoneMatches, Says: says}
	}
	github := func(repository, workflow, ref string) sigstoretest.Identity {
		return sigstoretest.GitHub(repository, workflow, ref)
	}
	other := policy.Options{}
	issuer := Kora
	issuer.Issuer += ".example.com"
	login := Kora
	login.Issuer = "https://github.com/login/oauth"
	two, mail, none := Kora, Kora, Kora
	two.MoreSANs = []string{"https://github.com/example/evil/.github/workflows/x.yml@refs/heads/main"}
	mail.Email = "somebody@example.com"
	none.Issuer = ""
	own := Kora
	own.RunnerEnvironment = "self-hosted"
	suffix := github("runkora/kora", workflow, "refs/tags/v1.4.0")
	suffix.SAN += "/../../../../evil"
	prefix := Kora
	prefix.SAN = "https://evil.example/?x=" + Kora.SAN
	return []Case{
		signed("another repository that begins with kora's name", github("runkora/kora-evil", workflow, "refs/tags/v1.4.0"), other, "the identity is"),
		signed("kora's identity as the end of another", prefix, other, "the identity is"),
		signed("kora's identity as the beginning of another", suffix, other, "the identity is"),
		signed("a branch named like a version tag", github("runkora/kora", workflow, "refs/heads/v1.4.0"), other, "the identity is"),
		signed("a branch whose name holds refs/tags", github("runkora/kora", workflow, "refs/heads/refs/tags/v1.4.0"), other, "the identity is"),
		signed("a tag that is no version", github("runkora/kora", workflow, "refs/tags/vulnerable"), other, "the identity is"),
		signed("a tag of two numbers", github("runkora/kora", workflow, "refs/tags/v1.4"), other, "the identity is"),
		signed("a version tag with a line after it", github("runkora/kora", workflow, "refs/tags/v1.4.0%0Aevil"), other, "the identity is"),
		signed("another workflow of kora's", github("runkora/kora", ".github/workflows/test.yml", "refs/tags/v1.4.0"), other, "the identity is"),
		signed("a workflow file whose dot is another character", github("runkora/kora", ".github/workflows/releaseXyml", "refs/tags/v1.4.0"), other, "the identity is"),
		signed("a host whose dot is another character", sigstoretest.Identity{SAN: "https://githubXcom/runkora/kora/.github/workflows/release.yml@refs/tags/v1.4.0", Issuer: Kora.Issuer}, other, "the identity is"),
		signed("an expression of two alternatives is not open at their ends", github("runkora/kora", workflow, "refs/tags/v1.4.0"),
			policy.Options{IdentityRegexp: `^https://github\.com/example|refs/tags/v1\.4\.0$`}, "the identity is"),
		signed("an expression that is only a beginning", Kora, policy.Options{IdentityRegexp: `^https://github\.com/runkora/`}, "the identity is"),
		signed("an identity that is only a beginning", Kora, policy.Options{Identity: "https://github.com/runkora/kora/"}, "the identity is"),
		signed("CVE-2026-22772: an issuer that only begins with the trusted one", issuer, other, "the issuer is"),
		signed("another issuer of the same host", login, other, "the issuer is"),
		signed("an issuer asked for with a slash more", Kora, policy.Options{Issuer: Kora.Issuer + "/"}, "the issuer is"),
		signed("a certificate without an issuer", none, other, "the issuer is"),
		signed("a certificate with a second identity", two, other, "number of identities"),
		signed("a certificate with an identity and a mail address", mail, other, "number of identities"),
		signed("an identity of a mail address", sigstoretest.Identity{Email: "somebody@example.com", Issuer: "https://accounts.example.com"}, other, "the identity is"),
		{
			Name: "a self-hosted runner where a hosted one was asked for", Ask: Provenance, Want: verify.NoneMatches, Says: "the runner environment is",
			Evidence: s.SignStatement(own, provenance(digest())), Policy: policy.Options{HostedRunner: true},
		},
	}
}

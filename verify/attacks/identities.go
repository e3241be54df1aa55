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
	// Anybody may call kora's workflow, which then signs for them: only the
	// source repository tells.
	called := Kora
	called.SourceRepository, called.SourceRef, called.BuildConfig = "https://github.com/example/evil", "refs/heads/main", "https://github.com/example/evil/.github/workflows/x.yml@refs/heads/main"
	sameTag := called
	sameTag.SourceRef = "refs/tags/v1.4.0"
	otherRef := Kora
	otherRef.SourceRef = "refs/heads/main"
	bare := sigstoretest.Identity{SAN: Kora.SAN, Issuer: Kora.Issuer}
	exact := policy.Options{Identity: Kora.SAN}
	expression := policy.Options{IdentityRegexp: `^https://github\.com/runkora/kora/\.github/workflows/release\.yml@refs/tags/v1\.[0-9]+\.0$`}
	evil := policy.Options{SourceRepository: "example/evil"}
	inMail, inName := bare, bare
	inMail.SAN, inMail.Email = "", Kora.SAN
	inName.SAN, inName.OtherName = "", Kora.SAN
	inMail.SourceRepository, inMail.SourceRef, inName.SourceRepository, inName.SourceRef = Kora.SourceRepository, Kora.SourceRef, Kora.SourceRepository, Kora.SourceRef
	mailInURI := sigstoretest.Identity{SAN: "somebody@example.com", Issuer: "https://accounts.example.com"}
	byMail := policy.Options{Identity: "somebody@example.com", Issuer: "https://accounts.example.com"}
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
		signed("kora's workflow called by another repository", called, other, "the source repository is"),
		signed("kora's workflow called by another repository at a tag of the same name", sameTag, other, "the source repository is"),
		signed("kora's workflow called by another repository, by the exact identity", called, exact, "the source repository is"),
		signed("kora's workflow called by another repository, by an expression", called, expression, "the source repository is"),
		signed("kora's workflow called by another repository, by the expression of kora's documents", called, policy.Options{IdentityRegexp: documented}, "the source repository is"),
		signed("a source repository asked for does not open kora's identity", github("example/evil", ".github/workflows/x.yml", "refs/heads/main"), evil, "the identity is"),
		signed("kora's workflow called at a tag by a branch of kora's", otherRef, other, "the source reference is"),
		signed("kora's identity without any of GitHub's extensions", bare, other, "the source repository is"),
		signed("kora's identity as a mail address", inMail, other, "the kind of the identity is"),
		signed("kora's identity as a mail address, by any expression", inMail, policy.Options{IdentityRegexp: ".*"}, "the kind of the identity is"),
		signed("kora's identity as a user name", inName, other, "the kind of the identity is"),
		signed("a mail address as a URI", mailInURI, byMail, "the kind of the identity is"),
		{
			Name: "a self-hosted runner where a hosted one was asked for", Ask: Provenance, Want: verify.NoneMatches, Says: "the runner environment is",
			Evidence: s.SignStatement(own, provenance(digest())), Policy: policy.Options{HostedRunner: true},
		},
	}
}

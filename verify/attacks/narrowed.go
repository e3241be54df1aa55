package attacks

import (
	"strings"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/sigstoretest"
)

// narrowed are signatures that are refused without a word: what narrows who may
// have signed, or says the default again, opens nothing (R45, R47).
func narrowed(s *sigstoretest.Sigstore) []Case {
	// A branch of kora's calls the release workflow at a tag.
	branch := Kora
	branch.SourceRef, branch.BuildConfig = "refs/heads/evil", "https://github.com/runkora/kora/.github/workflows/evil.yml@refs/heads/evil"
	statement := sigstoretest.Statement(slsa1, sigstoretest.ProvenanceV1("runkora/kora", ".github/workflows/evil.yml", "refs/heads/evil"), digest())
	var out []Case
	for name, p := range map[string]policy.Options{
		"nothing": {}, "the source repository": {SourceRepository: "runkora/kora"}, "the source repository in other letters": {SourceRepository: "RunKora/Kora"},
		"the identity":                        {Identity: Kora.SAN},
		"the identity and the source":         {Identity: Kora.SAN, SourceRepository: "runkora/kora"},
		"an expression of it":                 {IdentityRegexp: `^https://github\.com/runkora/kora/\.github/workflows/release\.yml@refs/tags/v1\.4\.0$`},
		"an expression that begins otherwise": {IdentityRegexp: `^https://(www\.)?github\.com/runkora/kora/\.github/workflows/release\.yml@refs/tags/v1\.4\.0$`},
		"the expression of kora's documents":  {IdentityRegexp: documented, SourceRepository: "runkora/kora"},
		"the issuer":                          {Issuer: Kora.Issuer},
	} {
		out = append(out, Case{Name: "a branch that calls kora's workflow, by " + name, Evidence: s.SignBlob(branch, Chart), Policy: p, Want: verify.NoneMatches, Says: "the source reference is"})
	}
	for name, p := range map[string]policy.Options{
		"nothing": {}, "the identity": {Identity: Kora.SAN}, "the hosted runner": {HostedRunner: true}, "the identity and the workflow": {Identity: Kora.SAN, SignerWorkflow: policy.DefaultWorkflow},
	} {
		out = append(out, Case{Name: "a branch that calls kora's workflow, its provenance by " + name, Ask: Provenance, Evidence: s.SignStatement(branch, statement), Policy: p, Want: verify.NoneMatches, Says: "the source reference is"})
	}
	// A workflow of somebody's that another repository calls.
	fork := sigstoretest.GitHub("me/fork", workflow, "refs/tags/v1.4.0")
	called := fork
	called.SourceRepository = "https://github.com/evil/x"
	for _, expression := range []string{
		`^https://github\.com/me/fork/@$`, `^https://github.com/me/fork/@$`, `^https://(www\.)?github\.com/me/fork/@$`, `^https://github\.com/me/(fork|other)/@$`,
		`^(https://github\.com/me/fork/@|x)$`, `^https?://github\.com/me/fork/@$`, `^https://github\.com/[a-z]{2}/fork/@$`, `^https:/{2}github\.com/me/fork/@$`, `.*`,
	} {
		expression = strings.Replace(expression, "@", `\.github/workflows/release\.yml@refs/tags/v1\.4\.0`, 1)
		p := policy.Options{IdentityRegexp: expression}
		out = append(out,
			Case{Name: "a called workflow by " + expression, Evidence: s.SignBlob(called, Chart), Policy: p, Want: verify.NoneMatches, Says: "the source repository is"},
			Case{Name: "an own workflow by " + expression, Evidence: s.SignBlob(fork, Chart), Policy: p, Want: verify.Verified})
		p.SourceRepository = "evil/x"
		out = append(out, Case{Name: "a called workflow by its caller and " + expression, Evidence: s.SignBlob(called, Chart), Policy: p, Want: verify.Verified})
	}
	lab := sigstoretest.Identity{
		SAN: "https://gitlab.com/group/sub/project//.gitlab-ci.yml@refs/heads/main", Issuer: "https://gitlab.com", SourceRepository: "https://gitlab.com/group/sub/project",
	}
	foreign := lab
	foreign.SourceRepository = "https://gitlab.com/evil/project"
	byLab := policy.Options{Identity: lab.SAN, Issuer: lab.Issuer}
	return append(out,
		Case{Name: "a project of GitLab", Evidence: s.SignBlob(lab, Chart), Policy: byLab, Want: verify.Verified},
		Case{Name: "another project with the configuration of one", Evidence: s.SignBlob(foreign, Chart), Policy: byLab, Want: verify.NoneMatches, Says: "the source repository is"})
}

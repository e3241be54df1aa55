// Package policy says who has to have signed: an identity and its issuer, with
// what the certificate tells of the build, or a public key. It reads nothing
// and fetches nothing; it judges claims that were verified elsewhere.
package policy

import (
	"cmp"
	"crypto"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Kora's own release workflow, run for a version tag (R45). The expression is
// matched as a whole: the tag is a semantic version and nothing follows it.
const (
	DefaultIssuer         = "https://token.actions.githubusercontent.com"
	DefaultIdentityRegexp = `^https://github\.com/runkora/kora/\.github/workflows/release\.yml@refs/tags/v` + semver + `$`
	DefaultRepository     = "runkora/kora"
	DefaultWorkflow       = "runkora/kora/.github/workflows/release.yml"

	koraURL = "https://github.com/" + DefaultRepository

	semver = `(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?`
)

// Options are the parts of a policy as a person gives them; see New for what
// an empty one means.
type Options struct {
	// Identity is the whole identity of the certificate, IdentityRegexp an
	// expression that has to match all of it. At most one is given.
	Identity, IdentityRegexp string
	// Issuer is the OpenID Connect issuer, exactly.
	Issuer string
	// SourceRepository is OWNER/REPO or a URL, SignerWorkflow
	// OWNER/REPO/PATH[@REF] or a URL: what the certificate has to say. Without
	// a source repository it is the one that the signer's identity lies in,
	// where that tells: anybody may call a workflow, and it signs for them.
	SourceRepository, SignerWorkflow string
	// SourceRef is the whole reference that was built, such as
	// refs/tags/v1.4.0, "" for any that the identity allows.
	SourceRef string
	// ByBuild takes any identity of SignerWorkflow, or of any workflow of
	// SourceRepository, where no identity is given, as gh does; with a SourceRef
	// one of that reference, where the workflow is the repository's own. Else
	// they come on top of the identity.
	ByBuild bool
	// HostedRunner refuses builds of self-hosted runners.
	HostedRunner bool
	// Builder is the builder.id that a provenance has to name, if not empty.
	Builder string
	// Key is a public key as PEM that takes the place of identity and issuer;
	// KeyName is the file it came from.
	Key     []byte
	KeyName string
}

// Policy is who has to have signed. New makes one: the zero policy matches
// nothing.
type Policy struct {
	identity string
	matches  func(identity string) bool
	issuer   string
	source   string // a URL without a trailing slash, "" for the identity's own
	built    bool   // the build alone was asked for, as gh does
	ref      string // of what was built
	workflow workflow
	hosted   bool
	builder  string
	key      crypto.PublicKey
	keyName  string
}

// Claims are what a verified certificate says of its signer.
type Claims struct {
	// Identities are all subject alternative names: exactly one is accepted.
	// Kind is that of the one.
	Identities []string
	Kind       NameKind
	Issuer     string
	// SourceRepository, SignerWorkflow and BuildConfig are URLs of the
	// extensions, never of a predicate. SignerWorkflow and BuildConfig, the
	// workflow that was started, end in @REF.
	SourceRepository, SignerWorkflow, BuildConfig string
	// SourceRef and SourceDigest are the reference and the commit that were built.
	SourceRef, SourceDigest string
	// RunnerEnvironment is "github-hosted" or "self-hosted".
	RunnerEnvironment string
}

// Mismatch is one part of a policy that claims do not meet.
type Mismatch struct {
	// Field names the part: identity, issuer, source repository, …
	Field string `json:"field"`
	// Found and Expected are what the certificate says and the policy wants.
	Found    string `json:"found"`
	Expected string `json:"expected"`
}

func (m Mismatch) String() string {
	return fmt.Sprintf("the %s is %q and not %s", m.Field, m.Found, m.Expected)
}

// Key returns the public key that has to have signed, nil for an identity.
func (p Policy) Key() crypto.PublicKey { return p.key }

// KeyName is the file that the key came from.
func (p Policy) KeyName() string { return p.keyName }

// Builder returns the builder.id that a provenance has to name, "" for any.
func (p Policy) Builder() string { return p.builder }

// Judge returns every part of the policy that the claims do not meet, none
// when they meet all of it.
func (p Policy) Judge(c Claims) []Mismatch {
	if p.matches == nil {
		return []Mismatch{{"policy", "nobody", "an identity and an issuer, or a key"}}
	}
	wrong := p.judgeIdentity(c)
	return append(wrong, p.judgeBuild(c, len(wrong) == 0)...)
}

func (p Policy) judgeIdentity(c Claims) []Mismatch {
	if len(c.Identities) != 1 {
		return []Mismatch{{"number of identities in the certificate", fmt.Sprint(len(c.Identities)), "1"}}
	}
	var out []Mismatch
	if !p.matches(c.Identities[0]) {
		out = append(out, Mismatch{"identity", c.Identities[0], p.identity})
	}
	if want := kindOf(c.Identities[0]); c.Kind != want {
		out = append(out, Mismatch{"kind of the identity", string(c.Kind), "that of " + string(want)})
	}
	if c.Issuer != p.issuer {
		out = append(out, Mismatch{"issuer", c.Issuer, fmt.Sprintf("%q", p.issuer)})
	}
	return out
}

// judgeBuild looks at what nobody asked for, and the identity means, only where
// the identity is the right one.
func (p Policy) judgeBuild(c Claims, matched bool) []Mismatch {
	var out []Mismatch
	source, refs := p.source, []string{p.ref}
	if matched {
		var own string
		source, own = p.meant(c.Identities[0])
		refs = slices.Compact(append(refs, own))
	}
	if source != "" && !sameURL(c.SourceRepository, source) {
		out = append(out, Mismatch{"source repository", c.SourceRepository, fmt.Sprintf("%q", source)})
	}
	for _, ref := range refs {
		if ref != "" && c.SourceRef != ref {
			out = append(out, Mismatch{"source reference", c.SourceRef, fmt.Sprintf("%q", ref)})
		}
	}
	if p.workflow.path != "" && !p.workflow.is(workflowOf(c.SignerWorkflow)) {
		out = append(out, Mismatch{"signer workflow", c.SignerWorkflow, fmt.Sprintf("%q", p.workflow)})
	}
	if p.hosted && c.RunnerEnvironment != "github-hosted" {
		out = append(out, Mismatch{"runner environment", c.RunnerEnvironment, `"github-hosted"`})
	}
	return out
}

// meant is what an identity that matches says of the build, where nothing else
// was asked for: the repository that it lies in, whichever way the identity was
// asked for, since a workflow signs for everybody who calls it; and for a build
// of kora's own the reference that the workflow was taken from, which comes on
// top of one that was asked for.
func (p Policy) meant(identity string) (source, ref string) {
	own := repositoryOf(identity)
	source = cmp.Or(p.source, own, p.workflow.repository)
	if !p.built && sameURL(own, koraURL) && sameURL(source, koraURL) {
		_, ref, _ = cutReference(identity)
	}
	return source, ref
}

// sameURL compares as GitHub names repositories: ASCII letters without case.
// No other character equals a different one.
func sameURL(a, b string) bool { return a != "" && lower(a) == lower(b) }

func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// whole returns whether an expression matches all of an identity, whatever
// anchors, alternatives and quotes it holds itself: nothing is written around
// it. Of all matches at one place the longest is looked at.
func whole(expression string) (func(identity string) bool, error) {
	re, err := regexp.Compile(expression)
	if err != nil {
		return nil, err
	}
	re.Longest()
	return func(identity string) bool {
		at := re.FindStringIndex(identity)
		return at != nil && at[0] == 0 && at[1] == len(identity)
	}, nil
}

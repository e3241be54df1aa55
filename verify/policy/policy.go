// Package policy says who has to have signed: an identity and its issuer, with
// what the certificate tells of the build, or a public key. It reads nothing
// and fetches nothing; it judges claims that were verified elsewhere.
package policy

import (
	"crypto"
	"fmt"
	"regexp"
	"strings"
)

// Kora's own release workflow, run for a version tag (R45). The expression is
// matched as a whole: the tag is a semantic version and nothing follows it.
const (
	DefaultIssuer         = "https://token.actions.githubusercontent.com"
	DefaultIdentityRegexp = `^https://github\.com/runkora/kora/\.github/workflows/release\.yml@refs/tags/v` + semver + `$`
	DefaultRepository     = "runkora/kora"
	DefaultWorkflow       = "runkora/kora/.github/workflows/release.yml"

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
	// a source repository it is the one that the identity lies in, where the
	// identity tells: anybody may call a workflow, and it signs for them.
	SourceRepository, SignerWorkflow string
	// SourceRef is the whole reference that was built, such as
	// refs/tags/v1.4.0, "" for any that the identity allows.
	SourceRef string
	// ByBuild takes any identity of SignerWorkflow, or of any workflow of
	// SourceRepository, where no identity is given, as gh does. Else they come
	// on top of the identity.
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
	source   string // a URL without a trailing slash
	derived  bool   // source is the identity's own, and nobody gave it
	tagged   bool   // what was built is the identity's own reference
	ref      string // of what was built
	workflow string // a URL, without the reference where none was given
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

// SourceRepository returns the URL of the repository asked for, "" for any.
func (p Policy) SourceRepository() string { return p.source }

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
	if p.source != "" && (matched || !p.derived) && !sameURL(c.SourceRepository, p.source) {
		out = append(out, Mismatch{"source repository", c.SourceRepository, fmt.Sprintf("%q", p.source)})
	}
	ref := p.ref
	if p.tagged && matched && ref == "" {
		_, ref, _ = cutLast(c.Identities[0], "@")
	}
	if ref != "" && c.SourceRef != ref {
		out = append(out, Mismatch{"source reference", c.SourceRef, fmt.Sprintf("%q", ref)})
	}
	if p.workflow != "" && !p.sameWorkflow(c.SignerWorkflow) {
		out = append(out, Mismatch{"signer workflow", c.SignerWorkflow, fmt.Sprintf("%q", p.workflow)})
	}
	if p.hosted && c.RunnerEnvironment != "github-hosted" {
		out = append(out, Mismatch{"runner environment", c.RunnerEnvironment, `"github-hosted"`})
	}
	return out
}

// sameWorkflow compares the path exactly. A reference counts where one was
// asked for; otherwise it is cut off at the last @, which no path holds.
func (p Policy) sameWorkflow(claimed string) bool {
	if !strings.Contains(p.workflow, "@") {
		path, _, found := cutLast(claimed, "@")
		return found && sameURL(path, p.workflow)
	}
	return claimed == p.workflow
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

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// whole compiles an expression that has to match all of an identity, whatever
// anchors and alternatives it holds itself.
func whole(expression string) (*regexp.Regexp, error) {
	if _, err := regexp.Compile(expression); err != nil {
		return nil, err
	}
	return regexp.Compile(`\A(?:` + expression + `)\z`)
}

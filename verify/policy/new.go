package policy

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// documented is kora's identity as its documents print it for other tools,
// which take an expression for a beginning (R45). Here it means the default.
const documented = `^https://github\.com/runkora/kora/\.github/workflows/release\.yml@refs/tags/v`

// New makes a policy, or tells all that is wrong with its parts; warnings come
// beside a policy that can be used. Without identity and issuer they are
// kora's; see Options.ByBuild for the other way (R47).
func New(o Options) (Policy, faults.List) {
	p := Policy{hosted: o.HostedRunner, builder: o.Builder, ref: o.SourceRef}
	found := p.setBuild(o)
	if o.Key != nil {
		if found = append(found, p.setKey(o)...); found.Refused() {
			return Policy{}, found
		}
		return p, found
	}
	p.issuer = o.Issuer
	if p.issuer == "" {
		p.issuer = DefaultIssuer
	}
	found = append(found, p.setIdentity(o)...)
	p.setSource(p.workflow)
	if found.Refused() {
		return Policy{}, found
	}
	return p, found
}

// Kora is the policy of kora's own releases.
func Kora() Policy {
	p, _ := New(Options{})
	return p
}

func (p *Policy) setIdentity(o Options) faults.List {
	switch {
	case o.Identity != "" && o.IdentityRegexp != "":
		return shape("identity", o.Identity, "an identity and an expression are given, and only one can be meant")
	case o.Identity != "":
		p.identity = fmt.Sprintf("%q", o.Identity)
		p.matches = func(id string) bool { return id == o.Identity }
		p.setSource(o.Identity)
		return nil
	case o.IdentityRegexp != "":
		return p.setExpression(o.IdentityRegexp)
	case o.ByBuild && (p.workflow != "" || p.source != ""):
		p.setBuilt()
		return nil
	}
	return p.setExpression(DefaultIdentityRegexp)
}

func (p *Policy) setExpression(expression string) faults.List {
	if expression == documented {
		expression = DefaultIdentityRegexp
	}
	if len(expression) > maxExpression {
		return shape("identity expression", expression[:40]+"…", fmt.Sprintf("the expression has %d bytes, and %d are taken", len(expression), maxExpression))
	}
	re, err := whole(expression)
	if err != nil {
		return shape("identity expression", expression, "the expression does not parse: "+err.Error())
	}
	p.identity, p.matches = "a match of "+expression, re.MatchString
	p.setSource(beginning(expression))
	if expression == DefaultIdentityRegexp {
		p.tagged = p.derived // a release is built of the tag that it is called by
		return nil
	}
	return openings(expression)
}

// setBuilt takes the identity from what was asked of the build: the workflow,
// or any workflow of the source repository.
func (p *Policy) setBuilt() {
	if p.workflow != "" {
		p.identity = "an identity of " + p.workflow
		p.matches = p.sameWorkflow
		return
	}
	within := lower(p.source) + "/.github/workflows/"
	p.identity = "a workflow of " + p.source
	p.matches = func(id string) bool { return strings.HasPrefix(lower(id), within) && strings.Contains(id, "@") }
}

func (p *Policy) setBuild(o Options) faults.List {
	var found faults.List
	if o.SourceRepository != "" {
		u, ok := onGitHub(o.SourceRepository)
		if !ok || strings.Count(u.Path, "/") != 2 {
			found = append(found, shape("source repository", o.SourceRepository, "the source repository is neither OWNER/REPO nor an https URL of one")...)
		}
		p.source = strings.TrimSuffix(u.String(), "/")
	}
	if o.SignerWorkflow != "" {
		u, ok := onGitHub(o.SignerWorkflow)
		if path, _, _ := cutLast(u.Path, "@"); !ok || !strings.Contains(path, "/.github/workflows/") || strings.Count(path, "/") != 5 {
			found = append(found, shape("signer workflow", o.SignerWorkflow, "the signer workflow is not OWNER/REPO/.github/workflows/FILE, with or without @REF")...)
		}
		p.workflow = u.String()
	}
	return found
}

// onGitHub reads OWNER/REPO…, HOST/OWNER/REPO… or an https URL.
func onGitHub(text string) (*url.URL, bool) {
	first, _, _ := strings.Cut(text, "/")
	switch {
	case strings.HasPrefix(text, "https://"):
	case strings.Contains(first, "."):
		text = "https://" + text
	default:
		text = "https://github.com/" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return &url.URL{}, false
	}
	plain := u.Host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == "" && u.RawPath == ""
	for _, part := range strings.Split(strings.TrimPrefix(u.Path, "/"), "/") {
		plain = plain && part != "" && part != "." && part != ".."
	}
	return u, plain
}

func shape(field, found, message string) faults.List {
	f := faults.New(faults.PolicyShape, message)
	f.Field, f.Found = field, found
	if e, ok := faults.Lookup(faults.PolicyShape); ok {
		f.Fix = e.Fix
	}
	return faults.List{f}
}

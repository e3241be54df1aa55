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

// workflows is where GitHub keeps the workflows of a repository.
const workflows = ".github/workflows/"

// New makes a policy, or tells all that is wrong with its parts; warnings come
// beside a policy that can be used. Without identity and issuer they are
// kora's; see Options.ByBuild for the other way (R47).
func New(o Options) (Policy, faults.List) {
	p := Policy{hosted: o.HostedRunner, builder: o.Builder}
	found := append(p.setBuild(o), p.setReference(o)...)
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
	if found.Refused() {
		return Policy{}, found
	}
	return p, append(append(found, p.elsewhere(o)...), anyWorkflow(o)...)
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
		return nil
	case o.IdentityRegexp != "":
		return p.setExpression(o.IdentityRegexp)
	case o.ByBuild && (p.workflow.path != "" || p.source != ""):
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
	matches, err := whole(expression)
	if err != nil {
		return shape("identity expression", expression, "the expression does not parse: "+err.Error())
	}
	p.identity, p.matches = "a match of "+expression, matches
	if expression == DefaultIdentityRegexp {
		return nil
	}
	return openings(expression)
}

// setBuilt takes the identity from what was asked of the build: the workflow,
// or any workflow of the source repository. One that was built at a reference
// is of that reference too, where it is its own repository's.
func (p *Policy) setBuilt() {
	p.built = true
	if p.workflow.path != "" {
		if p.workflow.ref == "" && (p.source == "" || sameURL(p.source, p.workflow.repository)) {
			p.workflow.ref = p.ref
		}
		p.identity = "an identity of " + p.workflow.String()
		p.matches = func(id string) bool { return p.workflow.is(workflowOf(id)) }
		return
	}
	p.identity = "a workflow of " + p.source
	p.matches = func(id string) bool {
		w := workflowOf(id)
		return sameURL(w.repository, p.source) && strings.HasPrefix(w.path, workflows) && w.ref != ""
	}
}

// elsewhere warns of kora's workflow asked for on behalf of others: the
// reference that they built is their own, and not the tag of the workflow.
func (p *Policy) elsewhere(o Options) faults.List {
	kora := o.IdentityRegexp == "" && !p.built && (o.Identity == "" || sameURL(repositoryOf(o.Identity), koraURL))
	if !kora || p.source == "" || p.ref != "" || sameURL(p.source, koraURL) {
		return nil
	}
	f := faults.New(faults.OpenIdentity, "kora's workflow is taken for builds of another repository, and so which of its references was built is not held")
	f.Field, f.Found, f.Fix = "source repository", p.source, "give the identity of that repository's own workflow with --certificate-identity"
	return faults.List{f}
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
		text, ref, hasRef := cutReference(o.SignerWorkflow)
		u, ok := onGitHub(text)
		w := within(u.Host + u.Path)
		w.ref = ref
		if !ok || !strings.HasPrefix(w.path, workflows) || strings.Count(w.path, "/") != 2 || hasRef && ref == "" {
			found = append(found, shape("signer workflow", o.SignerWorkflow, "the signer workflow is not OWNER/REPO/.github/workflows/FILE, with or without @REF")...)
		}
		p.workflow = w
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

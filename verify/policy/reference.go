package policy

import (
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// AnyReference reports whether the build alone is asked for and not of which
// reference: then any branch, tag or pull request will do, as gh has it (R47).
func (o Options) AnyReference() bool {
	_, _, held := cutReference(o.SignerWorkflow)
	return o.Key == nil && o.ByBuild && o.Identity == "" && o.IdentityRegexp == "" &&
		(o.SourceRepository != "" || o.SignerWorkflow != "") && o.SourceRef == "" && !held
}

const referenceFix = "give --source-ref refs/tags/…, or @REF behind the workflow; or leave --source-repo and --signer-workflow out for kora's own release"

// anyWorkflow warns of a repository that is asked for alone: each of its workflows
// signs for it, those that run for a pull request too.
func anyWorkflow(o Options) faults.List {
	if !o.AnyReference() || o.SignerWorkflow != "" {
		return nil
	}
	f := faults.New(faults.OpenIdentity, "any workflow of the repository is let in, at any branch, tag or pull request")
	f.Field, f.Found, f.Fix = "source repository", o.SourceRepository, "give --signer-workflow too, and --source-ref refs/tags/… to hold what was built"
	return faults.List{f}
}

// Untagged warns of what was verified and was built from no tag, where no reference
// was asked for: name is the artifact, and refs are what its signers built.
func (o Options) Untagged(name string, refs ...string) faults.List {
	if !o.AnyReference() || len(refs) == 0 {
		return nil
	}
	for _, ref := range refs {
		if strings.HasPrefix(ref, "refs/tags/") {
			return nil
		}
	}
	f := faults.New(faults.OpenIdentity, "it was built from no tag, and no reference was asked for")
	f.File, f.Field, f.Found, f.Fix = name, "source reference", refs[0], referenceFix
	return faults.List{f}
}

// setReference takes the reference that has to have been built, whole.
func (p *Policy) setReference(o Options) faults.List {
	if p.ref = o.SourceRef; o.SourceRef == "" || strings.HasPrefix(o.SourceRef, "refs/") {
		return nil
	}
	found := shape("source reference", o.SourceRef, "the source reference is not whole, such as refs/tags/v1.4.0 or refs/heads/main")
	found[0].Fix = "write refs/tags/ before a tag, and refs/heads/ before a branch"
	return found
}

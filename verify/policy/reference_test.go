package policy_test

import (
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify/policy"
)

// R47: as gh takes it, a build of a repository or of a workflow may be of any
// reference; where nothing holds one it is warned of, and what is held is not.
func TestBuildsOfAnyReference(t *testing.T) {
	const workflow = "example/kora/.github/workflows/release.yml"
	for name, c := range map[string]struct {
		o              policy.Options
		open, untagged int
	}{
		"a repository":                   {policy.Options{ByBuild: true, SourceRepository: "example/kora"}, 1, 1},
		"a workflow":                     {policy.Options{ByBuild: true, SignerWorkflow: workflow}, 0, 1},
		"both":                           {policy.Options{ByBuild: true, SourceRepository: "example/kora", SignerWorkflow: workflow}, 0, 1},
		"a workflow at a reference":      {policy.Options{ByBuild: true, SignerWorkflow: workflow + "@refs/heads/main"}, 0, 0},
		"a repository and its reference": {policy.Options{ByBuild: true, SourceRepository: "example/kora", SourceRef: "refs/heads/main"}, 0, 0},
		"an identity":                    {policy.Options{ByBuild: true, SourceRepository: "example/kora", Identity: "https://github.com/" + workflow + "@refs/heads/main"}, 0, 0},
		"not by the build":               {policy.Options{SourceRepository: "runkora/kora"}, 0, 0},
		"nothing":                        {policy.Options{ByBuild: true}, 0, 0},
	} {
		_, found := policy.New(c.o)
		got := c.o.Untagged("file", "refs/heads/evil", "refs/pull/1/merge")
		if len(found) != c.open || len(got) != c.untagged || found.Refused() || got.Refused() {
			t.Errorf("%s: %v, %v", name, found, got)
		}
		if len(c.o.Untagged("file", "refs/heads/main", "refs/tags/v1.4.0"))+len(c.o.Untagged("file")) > 0 {
			t.Errorf("%s: a tag is warned of", name)
		}
		for _, f := range append(found, got...) {
			if f.Code != faults.OpenIdentity || f.Fix == "" {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}

// R47: a reference that is asked for is held, by the workflow and by the repository.
func TestTheReferenceOfABuild(t *testing.T) {
	c := claims(koraAt + "refs/tags/v1.4.0")
	for ref, good := range map[string]bool{"refs/tags/v1.4.0": true, "refs/tags/v1.4": false, "refs/heads/main": false, "refs/tags/v1.4.0x": false} {
		p, found := policy.New(policy.Options{ByBuild: true, SourceRepository: "runkora/kora", SourceRef: ref})
		if wrong := p.Judge(c); found.Refused() || (len(wrong) == 0) != good {
			t.Errorf("%s: %v %v", ref, found, wrong)
		}
	}
}

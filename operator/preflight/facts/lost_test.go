package facts

import (
	"slices"
	"testing"
)

// R55: what a look lost against an earlier one is what could not be read and was; what
// nobody asked for, what is gone and what never was known is not lost.
func TestWhatALookLost(t *testing.T) {
	whole := func() *Facts {
		f := sample()
		f.Nodes = Known([]Node{{Name: "a"}})
		f.Revisions = Known([]Revision{{Name: "one", TrustDomain: Known("x"), CNI: Known(true)}})
		f.Release = Known([]Answer{{Object: "Service a/b"}})
		return f
	}
	for want, change := range map[string]func(earlier, now *Facts){
		"":                                      func(_, _ *Facts) {},
		"the nodes":                             func(_, now *Facts) { now.Nodes = Unknown[[]Node]("forbidden") },
		"PostgreSQL":                            func(_, now *Facts) { now.Database = Unknown[Database]("silent") },
		"Secret kora-system/kora-secrets":       func(_, now *Facts) { now.Secrets["kora-system/kora-secrets"] = Unknown[*Secret]("forbidden") },
		"the injection of Istio's revision one": func(_, now *Facts) { now.Revisions.Value[0].Injection = Unknown[*Injection]("forbidden") },
		"the CNI of Istio's revision one":       func(_, now *Facts) { now.Revisions.Value[0].CNI = Unknown[bool]("forbidden") },
		"what is said to Service a/b":           func(_, now *Facts) { now.Release.Value[0].Untried = "forbidden" },
	} {
		earlier, now := whole(), whole()
		change(earlier, now)
		if got := now.Lost(earlier); want == "" && got != nil || want != "" && !slices.Equal(got, []string{want}) {
			t.Errorf("%q: %q", want, got)
		}
		if got := earlier.Lost(now); got != nil {
			t.Errorf("%q the other way: %q", want, got)
		}
		if got := now.Lost(now); got != nil {
			t.Errorf("%q against itself: %q", want, got)
		}
	}
	now := whole()
	now.Database, now.Revisions = NotAsked[Database]("--no-services"), Known([]Revision{})
	if got := now.Lost(whole()); got != nil {
		t.Errorf("%q", got)
	}
}

package preflight

import (
	"slices"
	"testing"
)

// R55: what is left out, and what needs it, is not looked at.
func TestJudgedAreThoseThatRun(t *testing.T) {
	for _, c := range []struct{ only, skip, want []string }{
		{[]string{"kubernetes-version"}, nil, []string{"kubernetes-version"}},
		{[]string{"postgres"}, nil, []string{"system-namespace", "platform-secret", "postgres"}},
		{[]string{"services"}, []string{"platform-secret"}, []string{"system-namespace"}},
		{[]string{"services"}, []string{"system-namespace"}, []string{}},
		{[]string{"kubernetes"}, []string{"kubernetes"}, []string{}},
		{[]string{"admission"}, []string{"release"}, []string{"system-namespace", "privileged-pods"}},
	} {
		checks, err := Select(c.only)
		if err == nil {
			checks, err = Skip(checks, c.skip)
		}
		if got := Judged(checks); err != nil || got == nil || !slices.Equal(got, c.want) {
			t.Errorf("--only %v --skip %v: %v, %v", c.only, c.skip, got, err)
		}
	}
	if got := Judged(Checks()); len(got) != len(Checks()) {
		t.Errorf("%v", got)
	}
}

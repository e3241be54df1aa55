package upgrade

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

// with are revisions of which each has its own values, in YAML.
func with(t *testing.T, all []Revision, texts ...string) []Revision {
	t.Helper()
	for i := range texts {
		all[i].Values = values(t, texts[i]).merged()
	}
	return all
}

func plan(t *testing.T, r Request) (*Plan, faults.List) {
	t.Helper()
	r.Kora, r.Namespace, r.Charts = "1.4.0", "kora-system", "oci://ghcr.io/runkora/charts"
	return Make(r)
}

// R56: what the old revision brings back is judged as new values are, and every
// rule stands in the plan.
func TestRollbackJudgesTheOldRevisionsValues(t *testing.T) {
	const sized = "global: { trustDomain: example.com }\nagents: { workspace: { size: 20Gi } }\n"
	patched := func(size string) string {
		return same + "agents: { manifestPatches: { 10-claim: { target: { kind: PersistentVolumeClaim }, patch: '{spec: {resources: {requests: {storage: " + size + "}}}}' } } }\n"
	}
	for name, c := range map[string]struct {
		old, now string
		code     faults.Code
		field    string
	}{
		"as it is":        {same, same, "", ""},
		"another domain":  {"global: { trustDomain: example.net }\n", same, faults.TrustDomainMove, "global.trustDomain"},
		"no domain":       {"frontendHost: example.com\n", same, faults.TrustDomainMove, "global.trustDomain"},
		"a size":          {same, sized, faults.ClaimsMove, "agents.workspace.size"},
		"a patch":         {patched("1Gi"), patched("2Gi"), faults.ClaimsMove, "agents.manifestPatches"},
		"a patch removed": {patched("1Gi"), same, faults.ClaimsMove, "agents.manifestPatches"},
		"a patch's words": {patched("1Gi"), patched("1024Mi"), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			live := &Live{Kora: with(t, revisions("superseded 1.3.2", "deployed 1.4.0"), c.old, c.now)}
			p, found := plan(t, Request{To: "1.3.2", Live: live})
			if c.code != "" {
				if p != nil || len(found) != 1 || found[0].Code != c.code || found[0].Field != c.field || found[0].Object != "Release kora revision 1" {
					t.Errorf("%+v", found)
				}
				return
			}
			if found.Refused() || len(p.Open()) != 0 {
				t.Fatalf("%+v", found)
			}
			for _, rule := range []string{"global.trustDomain stays", "the claims of agents stay", "kora-crds goes before kora", "the rollback is to the revision before", "no operation is under way"} {
				if !slices.ContainsFunc(p.Checks, func(c Check) bool { return c.Rule == rule && c.Checked }) {
					t.Errorf("no rule %q in %+v", rule, p.Checks)
				}
			}
		})
	}
}

// R56: over a revision that failed, what runs is the one that is deployed: in the
// versions, in the values and in the way back.
func TestWhatFailedDoesNotRun(t *testing.T) {
	const other = "global: { trustDomain: example.org }\n"
	for name, c := range map[string]struct {
		kora     []string
		from, to string
		step     string // of helm, empty where refused
		back     string
	}{
		"again":                 {[]string{"superseded 1.2.0", "deployed 1.3.2", "failed 1.4.0"}, "", "1.4.0", "helm upgrade ", "helm rollback kora 2 "},
		"again, twice failed":   {[]string{"deployed 1.3.2", "failed 1.4.0", "failed 1.4.0"}, "1.3.2", "1.4.0", "helm upgrade ", "helm rollback kora 1 "},
		"later":                 {[]string{"deployed 1.3.2", "failed 1.4.0"}, "", "1.5.0", "helm upgrade ", "helm rollback kora 1 "},
		"back":                  {[]string{"superseded 1.2.0", "deployed 1.3.2", "failed 1.4.0"}, "", "1.3.2", "helm rollback kora 2 ", "kora upgrade plan --to 1.4.0"},
		"back, from the failed": {[]string{"deployed 1.3.2", "failed 1.4.0"}, "1.4.0", "1.3.2", "helm rollback kora 1 ", "kora upgrade plan --to 1.4.0"},
		"back too far":          {[]string{"superseded 1.2.0", "deployed 1.3.2", "failed 1.4.0"}, "", "1.2.0", "", ""},
		"between":               {[]string{"deployed 1.3.2", "failed 1.5.0"}, "", "1.4.0", "", ""},
		"a change of values":    {[]string{"deployed 1.4.0", "failed 1.4.0"}, "", "1.4.0", "helm upgrade ", "helm rollback kora 1 "},
		"an install":            {[]string{"failed 1.4.0"}, "", "1.4.0", "helm upgrade ", "helm rollback kora 1 "},
	} {
		t.Run(name, func(t *testing.T) {
			all := revisions(c.kora...)
			if n := len(all); n > 1 {
				all[n-1].Values = values(t, other).merged() // of what failed, and nobody's concern
			}
			p, found := plan(t, Request{From: c.from, To: c.to, Live: &Live{Kora: all}, Target: values(t, same)})
			if c.step == "" {
				if p != nil || len(found) != 1 || found[0].Code != faults.Downgrade {
					t.Errorf("%+v %+v", p, found)
				}
				return
			}
			if p == nil || len(p.Open()) != 0 {
				t.Fatalf("%+v %+v", p, found)
			}
			if last := p.Helm[len(p.Helm)-1]; !strings.HasPrefix(last, c.step) || !strings.HasPrefix(p.Back[0], c.back) {
				t.Errorf("%s, back %s", last, p.Back[0])
			}
			if !strings.Contains(p.Text(), "its migrations may have run") {
				t.Errorf("nothing of migrations in\n%s", p.Text())
			}
		})
	}
}

// R56: where there is no release, that is said, and not a version that is missing.
func TestNoReleaseIsAnInstall(t *testing.T) {
	for name, kora := range map[string][]Revision{"none": nil, "kept history": revisions("superseded 1.3.2", "uninstalled 1.4.0")} {
		for _, from := range []string{"", "1.3.2"} {
			p, found := plan(t, Request{From: from, To: "1.4.0", Live: &Live{Kora: kora}})
			if p != nil || len(found) != 1 || found[0].Code != faults.LiveRelease || !strings.Contains(found[0].Message, "this is an install") {
				t.Errorf("%s, from %q: %+v", name, from, found)
			}
		}
	}
	_, found := plan(t, Request{To: "1.4.0", Live: &Live{Kora: revisions("deployed 1.3.2-rc.1")}})
	if len(found) != 1 || found[0].Code != faults.UpgradeVersion || found[0].Object != "Release kora revision 1" {
		t.Errorf("%+v", found)
	}
}

// R56: what could not be judged is open, and what was taken away is refused.
func TestMissingValuesAreNoAgreement(t *testing.T) {
	for i, c := range []struct {
		current, target []string // files, nil where not given
		open            bool
		code            faults.Code
	}{
		{nil, nil, true, ""},
		{[]string{same}, nil, true, ""},
		{nil, []string{same}, true, ""},
		{[]string{""}, []string{same}, true, ""},
		{[]string{"{}"}, []string{"{}"}, true, ""},
		{[]string{same}, []string{same}, false, ""},
		{[]string{same}, []string{""}, false, faults.TrustDomainMove},
		{[]string{same}, []string{"global: { trustDomain: null }"}, false, faults.TrustDomainMove},
		{[]string{same}, []string{"global: { trustDomain: '' }"}, false, faults.TrustDomainMove},
		{[]string{same}, []string{"global:\nagents:\n"}, false, faults.TrustDomainMove},
		{[]string{same}, []string{same, "global: { trustDomain: ~ }"}, false, faults.TrustDomainMove},
		{[]string{same}, []string{same, "global: null"}, false, faults.TrustDomainMove},
		{[]string{same}, []string{"global: null", same}, false, ""},
		{[]string{same, "global: { namespace: a }"}, []string{same}, false, ""},
	} {
		given := func(texts []string) Values {
			if texts == nil {
				return nil
			}
			out := Values{}
			for _, text := range texts {
				if text != "" {
					out = append(out, values(t, text)...)
				}
			}
			return out
		}
		p, found := plan(t, Request{From: "1.3.2", To: "1.4.0", Current: given(c.current), Target: given(c.target)})
		switch {
		case c.code != "" && (p != nil || len(found) != 1 || found[0].Code != c.code):
			t.Errorf("%d: %+v", i, found)
		case c.code == "" && (p == nil || (len(p.Open()) > 0) != c.open):
			t.Errorf("%d: %+v %+v", i, p, found)
		}
		if c.open && p.Open()[0].Code != faults.UpgradeOpen {
			t.Errorf("%d: %+v", i, p.Open())
		}
	}
}

// R56: patches of one map in several files count as Helm joins them.
func TestPatchesOfSeveralFilesAreJoined(t *testing.T) {
	entry := func(key, size string) string {
		return fmt.Sprintf("agents: { manifestPatches: { %s: { target: { kind: 'Persistent.*' }, patch: '{spec: {resources: {requests: {storage: %s}}}}' } } }\n", key, size)
	}
	both := append(values(t, same), append(values(t, entry("10-a", "1Gi")), values(t, entry("20-b", "2Gi"))...)...)
	one := append(values(t, same), values(t, entry("20-b", "2Gi"))...)
	if p, found := plan(t, Request{From: "1.3.2", To: "1.4.0", Current: both, Target: one}); p != nil || len(found) != 1 || found[0].Code != faults.ClaimsMove {
		t.Errorf("%+v", found)
	}
	if _, found := plan(t, Request{From: "1.3.2", To: "1.4.0", Current: both, Target: both}); len(found) != 0 {
		t.Errorf("%+v", found)
	}
}

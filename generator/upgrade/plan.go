package upgrade

import (
	"fmt"
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// Revision is one revision of a Helm release, as Helm keeps it.
type Revision struct {
	Number  int
	Status  string // deployed, superseded, failed, pending-upgrade, …
	Version string // of the chart
	Values  map[string]any
}

// Live is what runs: the revisions of both releases, the newest last.
type Live struct{ Kora, CRDs []Revision }

// Request is what a person asks for.
type Request struct {
	// From and To are versions; From may be empty where Live knows it.
	From, To string
	// Kora is the version of this program.
	Kora string
	// Live is nil where no cluster was read.
	Live *Live
	// Current are the values of the release that runs, Target those of the
	// upgrade; either may be nil.
	Current, Target Values
	// Judged is true where Target and Facts are judged by the rules of values.
	Judged bool
	// Facts are those of an environment over Target, nil without one.
	Facts *Facts
	// Files are the names of the target's values files, for the commands.
	Files []string
	// Namespace and Charts are where the release is and comes from.
	Namespace, Charts string
}

// Check is one rule and what was seen of it.
type Check struct {
	Rule string `json:"rule"`
	Seen string `json:"seen"`
	// Checked is false where there was nothing to look at.
	Checked bool `json:"checked"`
}

// Plan is what to do, in order.
type Plan struct {
	From     string   `json:"from"`
	To       string   `json:"to"`
	Rollback bool     `json:"rollback"`
	Checks   []Check  `json:"checks"`
	Notes    []string `json:"notes"`
	// Steps by the tool that does them.
	Helm     []string `json:"helm"`
	Helmfile []string `json:"helmfile"`
	ArgoCD   []string `json:"argocd"`
	// Back are the commands that undo it.
	Back []string `json:"back"`
}

// Make plans an upgrade, or a rollback to the revision before. A list that
// refuses comes without a plan (R56); one of rules that could not be judged comes
// with it (see Plan.Open).
func Make(r Request) (*Plan, faults.List) {
	if found := r.state(); found.Refused() {
		return nil, found
	}
	from, to, found := r.versions()
	if found.Refused() {
		return nil, found
	}
	p := &Plan{From: from.String(), To: to.String()}
	if r.undoes(to) || to.Compare(from) < 0 {
		return p.back(r, from, to)
	}
	if found := r.between(to); found.Refused() {
		return nil, found
	}
	found = append(found, p.values(r.running(), r.Target, r.Facts.layers(), "it needs the values that run (--current or --kubeconfig) and the new ones (-f)")...)
	if found.Refused() {
		return nil, found
	}
	if r.Judged {
		p.check("the new values are sound", "judged as kora validate does", true)
	}
	p.check("kora-crds goes before kora", "the steps are in this order", true)
	if r.Live != nil {
		p.check("no operation is under way", "Helm is done with both releases", true)
	}
	p.note(r, from, to)
	p.steps(r, to)
	return p, found
}

// Open is a fault for each rule of R56 that could not be judged.
func (p *Plan) Open() faults.List {
	var found faults.List
	for _, c := range p.Checks {
		if !c.Checked {
			f := faults.New(faults.UpgradeOpen, "a rule could not be judged: "+c.Rule)
			f.Found = c.Seen
			found = append(found, f)
		}
	}
	return found
}

func (p *Plan) check(rule, seen string, checked bool) {
	p.Checks = append(p.Checks, Check{rule, seen, checked})
}

// note says what a person should know that is no reason to refuse.
func (p *Plan) note(r Request, from, to Version) {
	add := func(format string, args ...any) { p.Notes = append(p.Notes, fmt.Sprintf(format, args...)) }
	if from == to {
		add("the version stays: no migration runs that has run already")
	}
	if from.Major != to.Major {
		add("a new major: check the theme against it (kora theme validate) and set its koraVersion")
	}
	if s := skipped(from, to); len(s) > 0 {
		add("minors skipped: %s; their migrations run in one pass, and pods of %s may return errors between the end of kora-migrate and the end of the rollout", strings.Join(s, ", "), from)
	}
	add("read the release notes of every release from %s to %s for the trust domain, definitions, migrations and identity providers", from, to)
	add("the way back is to the revision before alone, and reverts neither the database nor the definitions")
	if r.Kora != to.String() {
		add("generate with kora %s: this is kora %s, whose Helmfile and Applications pin its own version, and which does not judge values of %s", to, r.Kora, to)
	}
	p.liveNotes(r, to)
}

func (p *Plan) liveNotes(r Request, to Version) {
	if r.Live == nil {
		return
	}
	if len(r.Live.CRDs) == 0 {
		p.Notes = append(p.Notes, "there is no Helm release kora-crds in the namespace: the first step installs it")
	} else if v, ok := ParseVersion(r.Live.CRDs[len(r.Live.CRDs)-1].Version); ok && v.Compare(to) > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("kora-crds is at %s already, which is later: leave out the steps of kora-crds", v))
	}
	if failed, ok := r.failed(); ok {
		p.Notes = append(p.Notes, fmt.Sprintf("the last operation (revision %d, kora %s) failed: its migrations may have run, in whole or in part; look at the Job kora-migrate, which is kept", failed.Number, failed.Version))
	}
}

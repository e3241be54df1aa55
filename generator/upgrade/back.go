package upgrade

import (
	"fmt"

	"github.com/runkora/kora/internal/faults"
)

// back is the plan of a rollback, where the older version is that of the revision
// before; anything else is refused (R56). What the old revision brings back is
// judged as new values are: it is in Helm's record.
func (p *Plan) back(r Request, from, to Version) (*Plan, faults.List) {
	previous, ok := r.previous()
	if !ok || previous.Version != to.String() {
		return nil, faults.List{r.noWayBack(from, to)}
	}
	p.Rollback = true
	p.check("the rollback is to the revision before", fmt.Sprintf("revision %d is kora %s", previous.Number, to), true)
	found := p.values(r.running(), Values{{Plain: previous.Values}}, nil, "the records have no values of it")
	for i := range found {
		found[i].Object = fmt.Sprintf("Release kora revision %d", previous.Number)
		found[i].Fix = "the rollback would bring back the values of that revision: upgrade with values that keep what runs instead"
	}
	if found.Refused() {
		return nil, found
	}
	p.check("kora-crds goes before kora", "the steps leave kora-crds as it is: definitions are never older than what uses them", true)
	p.check("no operation is under way", "Helm is done with both releases", true)
	p.backSteps(r, from, to, previous)
	return p, found
}

func (p *Plan) backSteps(r Request, from, to Version, previous Revision) {
	p.Notes = []string{
		"workloads alone go back: the database stays at the schema of " + from.String() + ", with which " + to.String() + " works, and kora-crds stays",
		fmt.Sprintf("the values of revision %d come back with it, those of -f are not looked at", previous.Number),
		r.unserved(),
	}
	if failed, ok := r.failed(); ok {
		p.Notes = append(p.Notes, fmt.Sprintf("the last operation (revision %d, kora %s) failed: its migrations may have run, in whole or in part", failed.Number, failed.Version))
	}
	p.Helm = []string{fmt.Sprintf("helm rollback kora %d --namespace %s --wait --timeout 40m", previous.Number, quote(r.Namespace))}
	p.Helmfile = []string{p.Helm[0] + "   (helmfile itself has no rollback)"}
	p.ArgoCD = append([]string{"git revert the commit that raised targetRevision in argocd/apps/kora.yaml, and push; leave argocd/apps/kora-crds.yaml"}, taken("kora")...)
	p.Back = []string{fmt.Sprintf("kora upgrade plan --to %s, as for every upgrade", from)}
}

func (r Request) noWayBack(from, to Version) faults.Fault {
	f := faults.New(faults.Downgrade, fmt.Sprintf("kora %s cannot follow %s", to, from))
	f.File = "--to " + to.String()
	if previous, ok := r.previous(); ok {
		f.Found = fmt.Sprintf("the revision before is %d, kora %s", previous.Number, previous.Version)
		f.Fix = fmt.Sprintf("the only way back is helm rollback kora %d --namespace %s", previous.Number, quote(r.Namespace))
	} else if r.Live == nil {
		f.Fix = "the only way back is to the revision before: give --kubeconfig to plan a rollback, or look at helm history kora"
	}
	return f
}

// previous is the revision that a rollback goes to: the deployed one, where one
// failed over it, else the last before it that was deployed, which Helm calls
// superseded. One that failed in between does not count.
func (r Request) previous() (Revision, bool) {
	runs, ok := r.deployed()
	if !ok {
		return Revision{}, false
	}
	if failed, ok := r.failed(); ok && failed.Number != runs.Number {
		return runs, true
	}
	all := r.Live.Kora
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Number < runs.Number && all[i].Status == "superseded" {
			return all[i], true
		}
	}
	return Revision{}, false
}

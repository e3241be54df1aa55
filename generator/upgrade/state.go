package upgrade

import (
	"fmt"
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// deployed is the revision that runs: the last that Helm calls deployed. One that
// failed after it does not count. Where none was ever deployed it is the last, which
// Helm goes on from as well.
func (r Request) deployed() (Revision, bool) {
	if r.Live == nil || len(r.Live.Kora) == 0 {
		return Revision{}, false
	}
	all := r.Live.Kora
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Status == "deployed" {
			return all[i], true
		}
	}
	return all[len(all)-1], true
}

// failed is the last revision, where it failed over one that is deployed.
func (r Request) failed() (Revision, bool) {
	if r.Live == nil || len(r.Live.Kora) == 0 {
		return Revision{}, false
	}
	last := r.Live.Kora[len(r.Live.Kora)-1]
	return last, last.Status == "failed"
}

// undoes is true of a way from a failed revision to the version that is deployed.
func (r Request) undoes(to Version) bool {
	failed, ok := r.failed()
	runs, _ := r.deployed()
	return ok && failed.Number != runs.Number && failed.Version != runs.Version && runs.Version == to.String()
}

// between refuses what is neither the version that failed, nor a later one, nor
// that which is deployed: the migrations of the failed one may have run, and no
// release but the one before it works with their schema (R56).
func (r Request) between(to Version) faults.List {
	failed, ok := r.failed()
	v, known := ParseVersion(failed.Version)
	runs, _ := r.deployed()
	if !ok || !known || to.Compare(v) >= 0 || runs.Number == failed.Number {
		return nil
	}
	f := faults.New(faults.Downgrade, fmt.Sprintf("kora %s cannot follow %s, whose upgrade failed: its migrations may have run", to, v))
	f.File = "--to " + to.String()
	f.Fix = fmt.Sprintf("upgrade to %s again or to a later one, or go back with helm rollback kora %d --namespace %s", v, runs.Number, quote(r.Namespace))
	return faults.List{f}
}

// versions reads both, and compares the one given with the one that runs.
func (r Request) versions() (from, to Version, found faults.List) {
	to, ok := ParseVersion(r.To)
	if !ok {
		found = append(found, badVersion("--to", r.To))
	}
	runs, inCluster := r.deployed()
	given := r.From
	if given == "" && inCluster {
		given = runs.Version
	}
	if from, ok = ParseVersion(given); !ok {
		f := badVersion("--from", given)
		if r.From == "" && inCluster {
			f.File, f.Object = "", fmt.Sprintf("Release kora revision %d", runs.Number)
			f.Fix = "plans are made for kora's releases; install one of them first"
		}
		found = append(found, f)
	}
	if failed, undone := r.failed(); inCluster && given != runs.Version && !(undone && given == failed.Version && r.undoes(to)) {
		f := faults.New(faults.LiveRelease, fmt.Sprintf("the cluster runs kora %s, not %s", runs.Version, given))
		f.File, f.Fix = "--from "+given, "leave --from out: the version is read from the cluster"
		found = append(found, f)
	}
	if failed, ok := ParseVersion(r.failedVersion()); ok && r.undoes(to) {
		from = failed
	}
	return from, to, found
}

func (r Request) failedVersion() string {
	failed, _ := r.failed()
	return failed.Version
}

func badVersion(flag, text string) faults.Fault {
	f := faults.New(faults.UpgradeVersion, "the version is not one of kora's")
	f.File, f.Found, f.Expected = flag, text, "MAJOR.MINOR.PATCH, such as 1.4.0"
	if text == "" {
		f.Message = "the version is missing"
	}
	return f
}

// state refuses a release that is not there, and one that Helm is not done with.
func (r Request) state() faults.List {
	if r.Live == nil {
		return nil
	}
	if n := len(r.Live.Kora); n == 0 || r.Live.Kora[n-1].Status == "uninstalled" {
		f := faults.New(faults.LiveRelease, "there is no Helm release kora in the namespace "+r.Namespace+": this is an install and no upgrade")
		f.Fix = "name the namespace of the release, or install kora-crds and then kora with helm install; an install by Argo CD has no Helm release: give --from and --current FILE instead of a cluster"
		return faults.List{f}
	}
	found := r.underWay("kora", r.Live.Kora)
	return append(found, r.underWay("kora-crds", r.Live.CRDs)...)
}

func (r Request) underWay(name string, revisions []Revision) faults.List {
	if len(revisions) == 0 {
		return nil
	}
	last := revisions[len(revisions)-1]
	if !strings.HasPrefix(last.Status, "pending-") && last.Status != "uninstalling" {
		return nil
	}
	f := faults.New(faults.LiveRelease, fmt.Sprintf("the release %s is in the state %s", name, last.Status))
	f.Object = fmt.Sprintf("Release %s revision %d", name, last.Number)
	f.Fix = fmt.Sprintf("wait for the operation to end; one that was broken off ends with helm rollback %s %d --namespace %s", name, max(last.Number-1, 1), quote(r.Namespace))
	return faults.List{f}
}

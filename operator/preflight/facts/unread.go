package facts

import (
	"cmp"
	"maps"
	"slices"
)

// NotAsked makes a part that nobody looked for, which is no failure to read it.
func NotAsked[T any](why string) Part[T] { return Part[T]{Missing: why, Unasked: true} }

// unread says why a part that was looked for could not be read, if so.
func (p Part[T]) unread() string {
	if p.Unasked {
		return ""
	}
	return p.Missing
}

// Unread is what was looked for and could not be read, a sentence each, of things
// within a part too, and whether nothing but the cluster's version could.
func (f *Facts) Unread() (why []string, nothing bool) {
	nothing = true
	for _, p := range f.parts() {
		if p.unread != "" {
			why = append(why, p.name+": "+p.unread)
		} else if p.asked {
			nothing = false
		}
	}
	for _, p := range f.within() {
		if p.unread != "" {
			why = append(why, p.name+": "+p.unread)
		}
	}
	return why, nothing && len(why) > 0
}

// Lost is what could not be read and stands in an earlier look, by its name: whoever
// puts these facts in the place of those loses it.
func (f *Facts) Lost(earlier *Facts) []string {
	known := map[string]bool{}
	for _, p := range append(earlier.parts(), earlier.within()...) {
		known[p.name] = p.asked && p.unread == ""
	}
	var out []string
	for _, p := range append(f.parts(), f.within()...) {
		if p.unread != "" && known[p.name] {
			out = append(out, p.name)
		}
	}
	return out
}

// parts are what was looked for as a whole.
func (f *Facts) parts() []sought {
	out := []sought{
		one("the namespaces", f.Namespaces), one("the nodes", f.Nodes), one("the DaemonSets", f.DaemonSets), one("Istio's revisions", f.Revisions), one("Istio's tags", f.Tags), one("Istio's webhooks of injection", f.Injectors),
		one("SPIRE's class", f.Spire.Class), one("the settings of SPIRE's controller manager", f.Spire.Manager), one("SPIRE's trust domains", f.Spire.TrustDomains), one("SPIRE's SDS names", f.Spire.SDS), one("the ClusterSPIFFEIDs", f.Spire.IDs), one("the CSI driver", f.Spire.CSI),
		one("the definitions", f.Definitions), one("the StorageClasses", f.StorageClasses), one("the RuntimeClasses", f.RuntimeClasses), one("PostgreSQL", f.Database), one("Redis", f.Redis),
		one("what is said to a privileged pod", f.Privileged), one("what is said to the release", f.Release),
	}
	for _, name := range slices.Sorted(maps.Keys(f.Secrets)) {
		out = append(out, one("Secret "+name, f.Secrets[name]))
	}
	return out
}

// within are what was looked for of each thing in a part.
func (f *Facts) within() []sought {
	var out []sought
	for _, r := range f.Revisions.Value {
		out = append(out, one("the trust domain of Istio's revision "+r.Name, r.TrustDomain), one("the CNI of Istio's revision "+r.Name, r.CNI), one("the injection of Istio's revision "+r.Name, r.Injection))
	}
	for _, a := range f.Release.Value {
		out = append(out, sought{"what is said to " + a.Object, cmp.Or(a.Untried, a.Unread), true})
	}
	return out
}

// sought is one part, whatever it holds.
type sought struct {
	name, unread string
	asked        bool
}

func one[T any](name string, p Part[T]) sought { return sought{name, p.unread(), !p.Unasked} }

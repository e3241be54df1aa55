package facts

import (
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

// Unread is what was looked for and could not be read, a sentence each, and
// whether nothing but the cluster's version could.
func (f *Facts) Unread() (why []string, nothing bool) {
	parts := []sought{
		one("the namespaces", f.Namespaces), one("the nodes", f.Nodes), one("the DaemonSets", f.DaemonSets), one("Istio's revisions", f.Revisions), one("Istio's tags", f.Tags),
		one("SPIRE's class", f.Spire.Class), one("SPIRE's trust domains", f.Spire.TrustDomains), one("SPIRE's SDS names", f.Spire.SDS), one("the ClusterSPIFFEIDs", f.Spire.IDs), one("the CSI driver", f.Spire.CSI),
		one("the definitions", f.Definitions), one("the StorageClasses", f.StorageClasses), one("PostgreSQL", f.Database), one("Redis", f.Redis),
		one("what is said to a privileged pod", f.Privileged), one("what is said to the release", f.Release),
	}
	for _, name := range slices.Sorted(maps.Keys(f.Secrets)) {
		parts = append(parts, one("Secret "+name, f.Secrets[name]))
	}
	nothing = true
	for _, p := range parts {
		if p.unread != "" {
			why = append(why, p.name+": "+p.unread)
		} else if p.asked {
			nothing = false
		}
	}
	return why, nothing && len(why) > 0
}

// sought is one part, whatever it holds.
type sought struct {
	name, unread string
	asked        bool
}

func one[T any](name string, p Part[T]) sought { return sought{name, p.unread(), !p.Unasked} }

package preflight

import (
	"strings"
	"testing"

	"github.com/runkora/kora/operator/preflight/facts"
)

// managed is a cluster whose controller manager of SPIRE is set otherwise.
func managed(change func(*facts.Manager)) func(*facts.Facts, *Settings) {
	return spoiled(func(f *facts.Facts) { change(&f.Spire.Manager.Value) })
}

// R55: a ClusterSPIFFEID without a class races kora's own where the controller manager
// reads it, and one of another class does not; where nobody knows, that is told.
func TestAClusterSPIFFEIDWithoutAClass(t *testing.T) {
	old := facts.Unknown[facts.Manager]("the file does not hold it: it was not looked for")
	for name, c := range map[string]struct {
		class    string
		fallback bool
		manager  facts.Part[facts.Manager]
		want     State
	}{
		"read":                   {"", false, facts.Known(facts.Manager{Classless: true}), Failed},
		"a fallback":             {"", true, facts.Known(facts.Manager{Classless: true}), Passed},
		"of another class":       {"other", false, facts.Known(facts.Manager{Classless: true}), Passed},
		"not read":               {"", false, facts.Known(facts.Manager{}), Passed},
		"by an older bundle":     {"", false, old, Unchecked},
		"a fallback of an older": {"", true, old, Passed},
		"another of an older":    {"other", false, old, Passed},
		"kora's, of an older":    {"spire-system-spire", false, old, Failed},
	} {
		f := goodFacts(t)
		f.Spire.Manager = c.manager
		f.Spire.IDs.Value = append(f.Spire.IDs.Value, facts.SpiffeID{Name: "everybody", Class: c.class, Fallback: c.fallback})
		o := judged(f, goodSettings())["spire-fallback"]
		if o.State != c.want || o.State != Passed && (len(o.Findings) != 1 || o.Findings[0].Fix == "") {
			t.Errorf("%s: %s %+v", name, o.State, o.Findings)
		}
		if name == "read" && !strings.Contains(o.Findings[0].Found, "watchClassless") {
			t.Errorf("%+v", o.Findings)
		}
	}
}

// R55: a bundle of before the controller manager's settings were kept is read, and what
// it does not hold is not known.
func TestABundleWithoutTheControllerManager(t *testing.T) {
	f, err := facts.Read(strings.NewReader(`{"form":1,"spire":{"class":{"value":"spire-system-spire"},"clusterSPIFFEIDs":{"value":[]}}}`))
	if err != nil || f.Spire.Class.Value == "" || f.Spire.Manager.Missing == "" {
		t.Errorf("%v %+v", err, f)
	}
}

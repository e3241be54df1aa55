package rules

import (
	"fmt"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/theme"
)

// overrides holds a service's configOverrides to what the rest of the release is
// made of (R23).
func (j *judge) overrides(service string) {
	at := fields.Path(service).Child("configOverrides")
	for _, module := range entries(j.tree.Get(service, "configOverrides")) {
		below := at.Child(module.Key.Value)
		j.pinned(service, pinned().Get(module.Key.Value), module.Value, below)
		if module.Key.Value == "internal/operator" {
			j.leader(module.Value.Get("leaderElection").Get("enabled"), below.Child("leaderElection").Child("enabled"))
			j.collectors(module.Value.Get("collectorCIDRs"), below.Child("collectorCIDRs"))
		}
		if module.Key.Value == "internal/platform/branding" {
			j.productName(module.Value.Get("productName"), below.Child("productName"))
		}
	}
}

// pinned compares one level of a service's settings with the pinned ones.
func (j *judge) pinned(service string, known, given *source.Node, at fields.Path) {
	for _, f := range entries(given) {
		pin, below := known.Get(f.Key.Value), at.Child(f.Key.Value)
		switch {
		case pin == nil || f.Value.Null():
		case pin.Kind == source.Sequence:
			j.repeats(pin, f.Value, below)
		case pin.Kind == source.Mapping:
			j.pinned(service, pin, f.Value, below)
		case pin.Tag == "!!int":
			if f.Value.Kind == source.Scalar && plain(f.Value) != pin.Value {
				j.contradicts(f.Value, below, "the ports of the pod, its Service and its probes, which have "+pin.Value, "remove it")
			}
		default:
			j.follows(j.pin(pin.Value), service, f.Value, below)
		}
	}
}

func (j *judge) contradicts(n *source.Node, at fields.Path, what, fix string) {
	f := n.Pos.Fault(faults.Contradiction, "it contradicts "+what)
	f.Field, f.Found, f.Fix = string(at), fmt.Sprintf("%.80q", n.Value), fix
	if n.Kind != source.Scalar {
		f.Found = fmt.Sprintf("%.80s", inJSON(n.Any()))
	}
	j.refuse(f)
}

// productName is held to the theme's rule (R32): the services write it into texts.
func (j *judge) productName(n *source.Node, at fields.Path) {
	if n == nil || n.Kind != source.Scalar || n.Tag != "!!str" {
		return
	}
	for _, wrong := range theme.CheckName(n.Value) {
		f := n.Pos.Fault(faults.ThemeName, wrong.Message)
		f.Field, f.Found, f.Expected, f.Fix = string(at), wrong.Found, wrong.Expected, wrong.Fix
		j.refuse(f)
	}
}

package preflight

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/operator/preflight/facts"
)

// Checks are all of them, in the order in which they run and are reported.
func Checks() []Check {
	return slices.Concat(kubernetesChecks(), istioChecks(), spireChecks(), nodeChecks(), storageChecks(), secretChecks(), serviceChecks(), admissionChecks())
}

// Select keeps the checks with these ids or of these categories, and what they
// need; none named is all. A name that is neither is an error with the nearest.
func Select(names []string) ([]Check, error) {
	all := Checks()
	if len(names) == 0 {
		return all, nil
	}
	wanted := map[string]bool{}
	for _, name := range names {
		if err := choose(all, name, wanted); err != nil {
			return nil, err
		}
		for i, c := range all {
			if c.is(name) {
				all[i].askedAs = append(c.askedAs, name)
			}
		}
	}
	return slices.DeleteFunc(all, func(c Check) bool { return !wanted[c.ID] }), nil
}

// is reports whether a name of --only or --skip means this check.
func (c Check) is(name string) bool { return c.ID == name || c.Category == name }

func choose(all []Check, name string, wanted map[string]bool) error {
	known := map[string]bool{}
	for i := len(all) - 1; i >= 0; i-- { // needs stand before what needs them
		c := all[i]
		known[c.ID], known[c.Category] = true, true
		if c.is(name) || wanted[c.ID] {
			wanted[c.ID] = true
			for _, need := range c.Needs {
				wanted[need] = true
			}
		}
	}
	if known[name] {
		return nil
	}
	names := make([]string, 0, len(known))
	for k := range known {
		names = append(names, k)
	}
	slices.Sort(names)
	return fmt.Errorf("no check is called %q; did you mean %q? There are %s", name, fields.Nearest(name, names), strings.Join(names, ", "))
}

// Skip leaves out the checks with these ids or of these categories: they are
// reported as skipped, and so is what needs them.
func Skip(checks []Check, names []string) ([]Check, error) {
	out := slices.Clone(checks)
	for _, name := range names {
		wanted := map[string]bool{}
		if err := choose(Checks(), name, wanted); err != nil {
			return nil, err
		}
		for i, c := range out {
			if c.is(name) {
				out[i].left = true
			}
		}
	}
	for i, c := range out {
		out[i].unmet = c.left && slices.ContainsFunc(c.askedAs, func(name string) bool { return noneLeft(out, name) })
	}
	return out, nil
}

const leftOut = "left out by --skip"

// noneLeft reports whether a name of --only has no check any more: one that is a
// category less a check is no contradiction.
func noneLeft(all []Check, name string) bool {
	return !slices.ContainsFunc(all, func(c Check) bool { return c.is(name) && !c.left })
}

// Judge runs the checks on the facts. A check whose needs did not hold is
// skipped and names them; one that could not read what it looks at is Unchecked.
func Judge(checks []Check, f *facts.Facts, s Settings) []Outcome {
	before, lets := map[string]Outcome{}, map[string]bool{}
	out := make([]Outcome, 0, len(checks))
	for _, c := range checks {
		o := one(c, f, s, before, lets)
		before[c.ID], lets[c.ID] = o, o.lets() || o.State == Failed && c.blocks != nil && !c.blocks(s, f)
		out = append(out, o)
	}
	asked(checks, out)
	return out
}

// asked marks what was asked for where nobody looked: the checks that were left
// out, of a name of which none ran, and all of them where none of any name did.
// What a check needs is not asked for by that.
func asked(checks []Check, out []Outcome) {
	ran := map[string]bool{}
	for i, c := range checks {
		for _, name := range c.askedAs {
			ran[name] = ran[name] || out[i].State != Skipped
		}
	}
	none := !slices.Contains(slices.Collect(maps.Values(ran)), true)
	for i, c := range checks {
		silent := slices.ContainsFunc(c.askedAs, func(name string) bool { return !ran[name] })
		out[i].Unmet = out[i].Unmet || silent && (c.left || none)
	}
}

// Unseen are the outcomes of a run that saw nothing: first what it looked by and
// found of that, such as the cluster or the values, and every check blocked by it.
func Unseen(checks []Check, by string, found []Finding) []Outcome {
	v := verdict{found: found}
	out := []Outcome{{ID: by, Category: "look", Why: "without it there is nothing to judge", State: v.state(), Findings: found}}
	for _, c := range checks {
		o := Outcome{ID: c.ID, Category: c.Category, Why: c.Why, State: Skipped, Unmet: c.unmet}
		if c.left {
			o.Reason = leftOut
		} else {
			o.BlockedBy = []string{by}
		}
		out = append(out, o)
	}
	return out
}

func one(c Check, f *facts.Facts, s Settings, before map[string]Outcome, lets map[string]bool) Outcome {
	o := Outcome{ID: c.ID, Category: c.Category, Why: c.Why, State: Skipped}
	if c.left {
		o.Reason, o.Unmet = leftOut, c.unmet
		return o
	}
	if c.applies != nil {
		if o.Reason = c.applies(s); o.Reason != "" {
			return o
		}
	}
	for _, need := range c.Needs {
		if b := before[need]; !lets[need] && !(undecided(b, before) && c.alone != nil && c.alone(s, f)) && !(b.State == Failed && c.read != nil && c.read(f)) {
			o.BlockedBy = append(o.BlockedBy, need)
			o.Unmet = o.Unmet || b.Unmet || b.State == Skipped && len(b.BlockedBy) == 0
		}
	}
	if len(o.BlockedBy) > 0 {
		return o
	}
	v := &verdict{Settings: s, id: c.ID, facts: f}
	c.judge(v)
	o.Findings, o.State = v.found, v.state()
	return o
}

// lets reports whether this outcome lets the checks run that need it.
func (o Outcome) lets() bool { return o.State == Passed || o.State == Warned }

// undecided reports whether an outcome, and whatever blocked it, is only that
// something could not be read: nothing failed, and nobody left anything out.
func undecided(o Outcome, before map[string]Outcome) bool {
	if o.State == Unchecked {
		return true
	}
	return len(o.BlockedBy) > 0 && !slices.ContainsFunc(o.BlockedBy, func(id string) bool { return !undecided(before[id], before) })
}

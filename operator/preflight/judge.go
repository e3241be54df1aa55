package preflight

import (
	"fmt"
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
	}
	return slices.DeleteFunc(all, func(c Check) bool { return !wanted[c.ID] }), nil
}

func choose(all []Check, name string, wanted map[string]bool) error {
	known := map[string]bool{}
	for i := len(all) - 1; i >= 0; i-- { // needs stand before what needs them
		c := all[i]
		known[c.ID], known[c.Category] = true, true
		if c.ID == name || c.Category == name || wanted[c.ID] {
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
			if c.ID == name || c.Category == name {
				out[i].applies = func(Settings) string { return "left out by --skip" }
			}
		}
	}
	return out, nil
}

// Judge runs the checks on the facts. A check whose needs did not hold is
// skipped and names them; one that could not read what it looks at is Unchecked.
func Judge(checks []Check, f *facts.Facts, s Settings) []Outcome {
	states := map[string]State{}
	out := make([]Outcome, 0, len(checks))
	for _, c := range checks {
		o := one(c, f, s, states)
		states[c.ID] = o.State
		out = append(out, o)
	}
	return out
}

func one(c Check, f *facts.Facts, s Settings, states map[string]State) Outcome {
	o := Outcome{ID: c.ID, Category: c.Category, Why: c.Why, State: Skipped}
	if c.applies != nil {
		if o.Reason = c.applies(s); o.Reason != "" {
			return o
		}
	}
	for _, need := range c.Needs {
		if states[need] != Passed && states[need] != Warned {
			o.BlockedBy = append(o.BlockedBy, need)
		}
	}
	if len(o.BlockedBy) > 0 {
		return o
	}
	v := &verdict{Settings: s, facts: f}
	c.judge(v)
	o.Findings, o.State = v.found, v.state()
	return o
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/runkora/kora"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/kube"
	engine "github.com/runkora/kora/operator/preflight"
	state "github.com/runkora/kora/operator/preflight/facts"
	"github.com/runkora/kora/plugin/preflight"
)

// preflightNames are the names that --only and --skip take, a category a line.
func preflightNames() string {
	var order []string
	of := map[string][]string{}
	for _, c := range engine.Checks() {
		if of[c.Category] == nil {
			order = append(order, c.Category)
		}
		of[c.Category] = append(of[c.Category], c.ID)
	}
	lines := []string{"The categories, and their checks:"}
	for _, category := range order {
		lines = append(lines, "  "+category+": "+strings.Join(of[category], ", "))
	}
	return strings.Join(lines, "\n")
}

// choose reads --only and --skip, of which neither means all when it is empty.
func (f *preflightFlags) choose(flags *pflag.FlagSet) (err error) {
	for name, names := range map[string]*[]string{"only": &f.only, "skip": &f.skip} {
		for i := range *names {
			(*names)[i] = strings.TrimSpace((*names)[i])
		}
		if flags.Changed(name) && (len(*names) == 0 || slices.Contains(*names, "")) {
			return usageError{fmt.Errorf("--%s names no check: kora preflight --help lists them", name)}
		}
	}
	if f.checks, err = engine.Select(f.only); err == nil {
		f.checks, err = engine.Skip(f.checks, f.skip)
	}
	if err != nil {
		return usageError{err}
	}
	return nil
}

// refuses reports whether what was found of the values ends a run, as a warning
// does under --strict.
func (c *console) refuses(found faults.List) bool {
	if c.strict {
		found = found.Strict()
	}
	return found.Refused()
}

// later is a report to a program of what holds and is warned of, once a run: a
// person was told at once.
func (c *console) later(found faults.List) error {
	if !c.machine() {
		return nil
	}
	return c.report(withFixes(found))
}

// unseen ends a run that had nothing to judge, for what was found of what it looked
// by. The report is printed all the same: every check in it is blocked by that.
func (f *preflightFlags) unseen(c *console, by string, found faults.List) error {
	found = withFixes(found)
	all := engine.Unseen(f.checks, by, preflight.Findings(found))
	if err := f.write(c, f.report(c, all, f.source.Namespace, nil)); err != nil {
		return err
	}
	return c.report(found)
}

// by is what a run looks by, where the values hold.
func (f *preflightFlags) by() string {
	if f.bundle != "" {
		return "bundle"
	}
	return "cluster"
}

// report is of outcomes, and says where they are from: the cluster that was looked at, or
// that a bundle says it is of. Where nobody looked it is the one that was to be.
func (f *preflightFlags) report(c *console, all []engine.Outcome, namespace string, of *state.Cluster) preflight.Report {
	r := preflight.NewReport(kora.Version(), c.strict, all)
	switch {
	case of != nil:
		r.Look = preflight.Look{Bundle: f.bundle, Context: of.Context, Server: kube.Server(of.Server)}
	case f.bundle == "":
		r.Look = f.source.Look()
	default:
		r.Look = preflight.Look{Bundle: f.bundle}
	}
	r.Look.Namespace = namespace
	return r
}

package rules

import (
	"cmp"
	"slices"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/patches"
	"github.com/runkora/kora/plugin/theme"
	"github.com/runkora/kora/plugin/values"
)

// judge is one run of the rules.
type judge struct {
	tree    *values.Tree // what was given
	all     *values.Tree // laid over the chart's own values
	version string
	found   faults.List
}

func (j *judge) refuse(f faults.Fault) { j.found = append(j.found, f) }

func (j *judge) judged() faults.List {
	j.found = append(j.found, j.tree.Check()...)
	j.nothing()
	j.gateway()
	j.networks()
	j.host()
	j.namespace()
	j.mountPort()
	j.reachable()
	for _, service := range Services() {
		j.found = append(j.found, j.tree.CheckPod(service)...)
		j.variables(service)
		j.overrides(service)
		j.autoscaling(service)
		j.scaled(service)
	}
	j.resources()
	j.found = append(j.found, j.tree.CheckPod("ingressGateway")...)
	j.tools()
	j.theme()
	j.patches()
	return j.found
}

// Services are the keys of the blocks that every service of the platform has.
func Services() []string {
	return []string{
		"agents", "egressGateway", "frontend", "identityService", "inferenceService",
		"mcpService", "operator", "policyService", "triggersService",
	}
}

// theme judges the document as the validate-theme container will (R32 to R34).
func (j *judge) theme() {
	n := j.tree.Get("theme", "document")
	if n == nil || n.Kind != source.Scalar || n.Tag != "!!str" || n.Value == "" && !ofFile(n) {
		return
	}
	for _, f := range theme.Validate(source.Embed(n, themeKey), j.version) {
		f.Key = themeKey
		j.refuse(f)
	}
}

// ofFile reports whether a value is the whole text of a file: one without a letter
// was to be a theme, where an empty value is none.
func ofFile(n *source.Node) bool {
	return n.Pos.File != nil && n.Pos.Line == 1 && n.Pos.File.Text() == n.Value
}

// example names the agent type that the patches are tried on: any will do.
var example = values.Agent{Slug: "example", Namespace: "tenant-example"}

// patches tries them on an agent type, and with them the settings (R9, R12 to R16).
// One that is for some agent types alone may well match nothing of this one: only
// where it can match nothing of any is that told.
func (j *judge) patches() {
	entries, found := patches.FromValues(j.tree.Patches())
	entries, more := patches.Join(entries)
	texts := values.Texts(entries)
	set, compiled := patches.Compile(entries)
	settings, named := j.tree.Overridden().Settings(j.version, example)
	result, rendered := set.Render(settings)
	all := slices.Concat(found, more, compiled, named, rendered)
	for _, f := range values.HushedPatches(all.With(j.elsewhere(set)), texts...) {
		if f.Code != faults.MatchesNothing {
			j.refuse(j.placed(f))
		} else if result != nil {
			if f, certain := set.Nowhere(f, result.Objects); certain {
				j.refuse(f)
			}
		}
	}
}

// elsewhere is what the patches do to the agent types that they name themselves.
func (j *judge) elsewhere(set *patches.Set) (found faults.List) {
	for _, n := range set.Variants() {
		other := values.Agent{Slug: cmp.Or(n.Slug, example.Slug), TypeID: n.TypeID, Namespace: example.Namespace}
		settings, named := j.tree.Overridden().Settings(j.version, other)
		_, rendered := n.Set.Render(settings)
		found = found.With(slices.Concat(named, rendered))
	}
	return slices.DeleteFunc(found, func(f faults.Fault) bool { return f.Code == faults.MatchesNothing })
}

// placed points a split that the settings alone brought about at the one that
// decides it (R9).
func (j *judge) placed(f faults.Fault) faults.Fault {
	if f.Code != faults.SplitPlacement || f.File != "" {
		return f
	}
	over := j.tree.Overridden()
	at, _ := over.Placement()
	f = at.Move(f)
	f.Field, f.Key = string(over.Name("agents.workloads")), ""
	return f
}

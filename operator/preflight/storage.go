package preflight

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/runkora/kora/operator/preflight/facts"
)

func storageChecks() []Check {
	return []Check{{
		ID: "storage-class", Category: "storage", Why: "an agent's workspace is a claim, which waits for ever without a class", judge: storageClass,
	}}
}

func storageClass(v *verdict) {
	if !known(v, "the StorageClasses", v.facts.StorageClasses) {
		return
	}
	var names []string
	for _, c := range v.facts.StorageClasses.Value {
		names = append(names, c.Name)
	}
	seen := map[string]bool{}
	for _, c := range v.claims() {
		if class := fmt.Sprintf("%t %s", c.Class != nil, c.class()); !seen[class] {
			seen[class] = true
			v.claim(c, names)
		}
	}
}

// claims are those of the agent type, or the one of the values alone.
func (v *verdict) claims() []Claim {
	if len(v.Claims) > 0 {
		return v.Claims
	}
	if v.StorageClass == "" {
		return []Claim{{Object: "the workspace of an agent"}}
	}
	return []Claim{{Object: "the workspace of an agent", Class: &v.StorageClass}}
}

func (c Claim) class() string {
	if c.Class == nil {
		return ""
	}
	return *c.Class
}

func (v *verdict) claim(c Claim, names []string) {
	const field = "agents.workspace.storageClassName"
	finding := Finding{Object: c.Object, Field: cmp.Or(c.Field, "spec.storageClassName"), Found: orNothing(c.class()), Expected: "one of: " + orNothing(some(names))}
	finding.Fix = v.on("kubectl", "get", "storageclasses") + " # tells what there is"
	if len(names) > 0 {
		name := v.usual(names[0])
		finding.Fix = sound(setting(ofKora, field, name)+", where no patch sets another", subdomain(name))
	}
	if c.Field != "" {
		finding.Fix += "; the annotation counts before it, so take that out of the patch that sets it"
	}
	switch {
	case c.Class == nil && !slices.ContainsFunc(v.facts.StorageClasses.Value, func(s facts.StorageClass) bool { return s.Default }):
		finding.Message, finding.Field, finding.Found = "the cluster has no default StorageClass, and the values name none", field, orNothing(some(names))+", none of them the default"
		if len(names) > 0 {
			finding.Fix = v.byDefault(names[0])
		}
		v.fail(finding)
	case c.Class == nil:
	case *c.Class == "":
		finding.Message, finding.Found = "a claim asks for no class at all: it waits for a volume that somebody makes by hand", `""`
		v.warn(finding)
	case !slices.Contains(names, *c.Class):
		finding.Message = "the StorageClass of a claim is not there"
		v.fail(finding)
	}
}

// usual is the cluster's default class, which whoever names one most likely means, and
// the one that is given where there is none.
func (v *verdict) usual(other string) string {
	for _, s := range v.facts.StorageClasses.Value {
		if s.Default {
			return s.Name
		}
	}
	return other
}

// byDefault makes a class the default one that nobody says is not, or shows the
// classes where somebody says so of each.
func (v *verdict) byDefault(name string) string {
	all := v.facts.StorageClasses.Value
	open := slices.IndexFunc(all, func(s facts.StorageClass) bool { return !s.Declined })
	if open >= 0 {
		name = all[open].Name
	}
	mark := func(flags ...string) string {
		return v.on("kubectl", slices.Concat([]string{"annotate"}, flags, []string{"storageclass", name, "storageclass.kubernetes.io/is-default-class=true"})...)
	}
	if open >= 0 {
		return sound(mark(), subdomain(name))
	}
	return sound(v.on("kubectl", "get", "storageclasses")+replaces(mark("--overwrite")), subdomain(name))
}

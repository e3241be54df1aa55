package preflight

import (
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
	all := v.facts.StorageClasses.Value
	var names []string
	for _, c := range all {
		names = append(names, c.Name)
	}
	switch {
	case v.StorageClass != "" && !slices.Contains(names, v.StorageClass):
		v.fail(Finding{
			Message: "the StorageClass of workspaces is not there", Field: "agents.workspace.storageClassName", Found: v.StorageClass,
			Expected: "one of: " + orNothing(some(names)), Fix: "set agents.workspace.storageClassName to one that is there, or make it",
		})
	case v.StorageClass == "" && !slices.ContainsFunc(all, func(c facts.StorageClass) bool { return c.Default }):
		v.fail(Finding{
			Message: "the cluster has no default StorageClass, and the values name none", Field: "agents.workspace.storageClassName", Found: orNothing(some(names)) + ", none of them the default",
			Fix: "set agents.workspace.storageClassName, or annotate a class with storageclass.kubernetes.io/is-default-class=true",
		})
	}
}

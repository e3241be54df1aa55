package rules

import (
	"encoding/json"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// Share is how many bytes the resources of one kind may take of one tenant, by [Size]:
// some thousands of usual ones. The operator holds all of them, and writes them at each
// change with everybody's, so that one tenant without a bound takes the memory of all
// (R51, R54).
const Share = 2 << 20

// each is what an object takes in memory beside its spec, its status included. It is
// more than what stands around a spec in a registry, so that what is within the share
// is within the registry's bound as well.
const each = 512

// Size is what a resource counts for: its spec as JSON, its name, and what every object
// takes. Labels, annotations and the like are not kept (see manager) and do not count.
func Size(o v1alpha1.Object) int {
	text, err := json.Marshal(Spec(o))
	if err != nil { // no spec of kora's has what JSON cannot say
		return Share
	}
	return len(text) + len(o.GetName()) + each
}

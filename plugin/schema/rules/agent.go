package rules

import (
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/values"
)

// CheckAgent returns the faults of the values that agent types are made of: what
// values.Tree.Check says, and what the embedded chart's schema says of the same, so
// that a preview takes no image, registry or name that the release would refuse (R2,
// R20, R21). What must be given for a release need not be given for a preview.
func CheckAgent(tree *values.Tree) (faults.List, error) {
	if len(entries(tree.Touched())) == 0 {
		return tree.Check(), nil // the chart's own are fine, and patches alone cost no more
	}
	chart, err := Embedded()
	if err != nil {
		return nil, err
	}
	own, found := chart.values()
	for _, f := range chart.schema(tree, own) {
		if ofAgents(f) {
			found = append(found, f)
		}
	}
	return values.Finished(tree.Hushed(joined(tree.Check(), found))).Sorted(), nil
}

// readByAgents are the values that agent types are made of, or checked with.
var readByAgents = []string{
	"agents.workloads", "agents.workspace", "agents.environments", "agents.config", "agents.sandboxImages",
	`agents.configOverrides["internal/agents"]`, "global", "operator.injection", "sandboxMount",
}

func ofAgents(f faults.Fault) bool {
	if f.Code == faults.ValueMissing && f.Field == "global.trustDomain" {
		return false
	}
	return slices.ContainsFunc(readByAgents, func(block string) bool {
		rest, ok := strings.CutPrefix(f.Field, block)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

package rules

import (
	"fmt"
	"regexp"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/internal/faults"
)

var reserved = regexp.MustCompile(environment.Reserved)

// namespace: the platform has one of its own, as the chart says too (R21).
func (j *judge) namespace() {
	n := j.tree.Get("global", "systemNamespace")
	if n == nil || n.Tag != "!!str" || !reserved.MatchString(n.Value) {
		return
	}
	f := n.Pos.Fault(faults.BadValue, fmt.Sprintf("%.80q is a namespace of others", n.Value))
	f.Field, f.Found = "global.systemNamespace", fmt.Sprintf("the text %.80q", n.Value)
	f.Expected, f.Fix = "a namespace of kora alone, such as kora-system", "give kora one of its own, such as kora-system"
	j.refuse(f)
}

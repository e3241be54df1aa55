package values

import (
	"fmt"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/operator/agents"
)

// cloudless refuses the keys that would give a sandbox a cloud identity, which
// it never has: it runs the agent's code (R5). Those of common reach it as well.
func (c *checker) cloudless(v value, kind metadata, block string) {
	for _, entry := range v.entries() {
		if !agents.CloudIdentity(entry.Key.Value) {
			continue
		}
		f := entry.Key.Pos.Fault(faults.OwnedLabel, fmt.Sprintf("the pod %s %q would give the sandbox a cloud identity, which it never has", kind, entry.Key.Value))
		f.Field, f.Found = string(v.path.Child(entry.Key.Value)), entry.Key.Value
		f.Fix = "remove it: the agent's identity belongs into agents.workloads.sessionManager"
		if block == "common" {
			f.Fix = "move it to agents.workloads.sessionManager, or remove it"
		}
		c.refuse(f)
	}
}

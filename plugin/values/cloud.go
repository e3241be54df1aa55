package values

import (
	"fmt"
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// identityDomains are those whose keys on a pod make a cloud's agent give the
// pod an identity, or credentials of one.
var identityDomains = []string{
	"azure.workload.identity", "eks.amazonaws.com", "iam.amazonaws.com", "iam.gke.io", "pod-identity.alibabacloud.com",
}

// cloudIdentity reports whether a label or annotation gives its pod an identity
// in a cloud. Keys of annotations may be spelt in capitals.
func cloudIdentity(key string) bool {
	domain, _, found := strings.Cut(strings.ToLower(key), "/")
	if !found {
		return domain == "aadpodidbinding"
	}
	for _, d := range identityDomains {
		if domain == d || strings.HasSuffix(domain, "."+d) {
			return true
		}
	}
	return false
}

// cloudless refuses the keys that would give a sandbox a cloud identity, which
// it never has: it runs the agent's code (R5). Those of common reach it as well.
func (c *checker) cloudless(v value, kind metadata, block string) {
	for _, entry := range v.entries() {
		if !cloudIdentity(entry.Key.Value) {
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

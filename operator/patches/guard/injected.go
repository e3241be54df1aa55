package guard

import (
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
)

// injectedVolumes are those of the mesh's injection template that do not say
// so by a prefix; SPIRE's and the mesh's sockets and certificates lie in them.
var injectedVolumes = []string{"workload-socket", "workload-certs", "credential-socket"}

// injected refuses a container or volume under a name of those that injection
// adds: an injector takes one that is there already for a change of its own,
// and the sidecar would be the patch's (R14, the injection wiring).
func (c *checker) injected(at fields.Path, name string, names []string) {
	for _, prefix := range []string{"istio-", "istiod-", "kora-"} {
		if strings.HasPrefix(name, prefix) {
			names = append(names[:len(names):len(names)], name)
		}
	}
	if slices.Contains(names, name) {
		c.add(Violation{Code: faults.Protected, Path: at, Message: "a patch may not stand in for what sidecar injection adds",
			Found: name, Expected: "another name", Fix: "rename it"})
	}
}

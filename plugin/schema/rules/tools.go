package rules

import (
	"fmt"
	"regexp"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
)

// ToolKey matches the annotations by which Helm and Argo CD decide what becomes of
// an object, as kora.toolKey of the chart's templates has it.
const ToolKey = `^(([^/]*[.])?helm[.]sh/.*|argocd[.]argoproj[.]io/hook.*)$`

var toolKey = regexp.MustCompile(ToolKey)

// tools: an object of the release that a value makes a hook is none of the release
// any more, and stays when that is uninstalled (R27). The Service of the gateway is
// the one whose annotations are the user's.
func (j *judge) tools() {
	at := fields.Path("ingressGateway.service.annotations")
	for _, f := range entries(j.tree.Get("ingressGateway", "service", "annotations")) {
		key := f.Key.Value
		if !toolKey.MatchString(key) {
			continue
		}
		out := f.Key.Pos.Fault(faults.OwnedLabel, fmt.Sprintf("the annotation %.80q tells Helm or Argo CD what becomes of the object, which the chart alone does", key))
		out.Field, out.Found = string(at.Child(key)), fmt.Sprintf("%.80s", key)
		out.Expected, out.Fix = "annotations for the cloud's load balancer", "remove it"
		j.refuse(out)
	}
}

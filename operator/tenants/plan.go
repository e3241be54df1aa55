package tenants

import (
	"fmt"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// Plan is what the deletion of a tenant's namespace would take besides what the
// operator itself made, and could make again.
type Plan struct {
	Namespace string
	Kinds     []Loss // in a fixed order, none empty

	bound []string        // what a confirmation is bound to: kind, name and UID of each
	seen  map[string]bool // what makes others, by kind and UID
}

// Loss is the objects of one kind that would go.
type Loss struct {
	Kind  string
	Names []string // sorted
}

// Empty reports that nothing would be lost.
func (p Plan) Empty() bool { return len(p.Kinds) == 0 }

// shown is how many names of a kind a message holds.
const shown = 5

// String is such as "2 PersistentVolumeClaims (a, b), 1 Connection (github)".
func (p Plan) String() string {
	var kinds []string
	for _, loss := range p.Kinds {
		names := strings.Join(loss.Names[:min(shown, len(loss.Names))], ", ")
		if len(loss.Names) > shown {
			names += ", …"
		}
		kinds = append(kinds, fmt.Sprintf("%s (%s)", counted(len(loss.Names), loss.Kind), names))
	}
	return strings.Join(kinds, ", ")
}

func counted(n int, kind string) string {
	if n == 1 {
		return "1 " + kind
	}
	return fmt.Sprintf("%d %ss", n, kind)
}

// Question says what lives in the tenant, what becomes of it when the tenant is
// deleted, and the ways on. The webhook, which refuses a deletion that is not
// confirmed, and the status of a tenant whose deletion waits, say the same (R50).
func (p Plan) Question(tenant *v1alpha1.KoraTenant) string {
	what := fmt.Sprintf("spec.deletionPolicy is Retain, so the namespace %s stays with all that is in it, and nobody signs in to it or starts a run any more", p.Namespace)
	if tenant.Spec.DeletionPolicy == v1alpha1.DeletionDelete {
		what = fmt.Sprintf("spec.deletionPolicy is Delete, so the namespace %s goes with all that is in it, workspaces too, and nothing brings it back; Retain would keep it", p.Namespace)
	}
	return fmt.Sprintf("KoraTenant %s is in use: %s. %s. %sIf that is meant: kubectl annotate --overwrite koratenant %s %s=%s",
		tenant.Name, p, what, p.outdated(tenant), tenant.Name, v1alpha1.AnnotationConfirmDeletion, p.Confirmation(tenant))
}

package tenants

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Plan is what the deletion of a tenant's namespace would take besides what the
// operator itself made, and could make again.
type Plan struct {
	Namespace string
	Kinds     []Loss // in a fixed order, none empty
}

// Loss is the objects of one kind that would go.
type Loss struct {
	Kind  string
	Names []string // sorted
}

// lost are the kinds that nobody makes again: workspaces, agents, and what the
// tenant's people wrote.
func lost() []schema.GroupVersionKind {
	all := []schema.GroupVersionKind{{Version: "v1", Kind: "PersistentVolumeClaim"}, {Group: "apps", Version: "v1", Kind: "StatefulSet"}}
	for _, kind := range []string{"Connection", "OAuthClient", "MCPServer", "ModelProvider", "SandboxImage"} {
		all = append(all, v1alpha1.GroupVersion.WithKind(kind))
	}
	return all
}

// PlanOf lists what is in the namespace of a tenant. The reader has the rights of
// the operator there, and is none of a cache.
func PlanOf(ctx context.Context, reader client.Reader, tenant string) (Plan, error) {
	plan := Plan{Namespace: v1alpha1.TenantNamespace(tenant)}
	for _, kind := range lost() {
		list := &metav1.PartialObjectMetadataList{}
		list.SetGroupVersionKind(kind.GroupVersion().WithKind(kind.Kind + "List"))
		if err := reader.List(ctx, list, client.InNamespace(plan.Namespace)); err != nil {
			return plan, fmt.Errorf("list what deleting namespace %s would take: %w", plan.Namespace, err)
		}
		var names []string
		for _, o := range list.Items {
			if o.Labels[v1alpha1.LabelManagedBy] != v1alpha1.Operator {
				names = append(names, o.Name)
			}
		}
		if slices.Sort(names); len(names) > 0 {
			plan.Kinds = append(plan.Kinds, Loss{kind.Kind, names})
		}
	}
	return plan, nil
}

// Empty reports that nothing would be lost.
func (p Plan) Empty() bool { return len(p.Kinds) == 0 }

// shown is how many names of a kind a message holds.
const shown = 5

// String is such as "2 PersistentVolumeClaim (a, b), 1 Connection (github)".
func (p Plan) String() string {
	var kinds []string
	for _, loss := range p.Kinds {
		names := strings.Join(loss.Names[:min(shown, len(loss.Names))], ", ")
		if len(loss.Names) > shown {
			names += ", …"
		}
		kinds = append(kinds, fmt.Sprintf("%d %s (%s)", len(loss.Names), loss.Kind, names))
	}
	return strings.Join(kinds, ", ")
}

// Question says what would go, and the two ways on.
func (p Plan) Question(tenant string) string {
	return fmt.Sprintf("deletionPolicy is Delete, and deleting namespace %s would delete for good: %s. To delete it, set the annotation %s to %s; to keep it, set spec.deletionPolicy to Retain",
		p.Namespace, p, v1alpha1.AnnotationConfirmDeletion, tenant)
}

package admission

import (
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
)

// warnings are what is allowed and seldom meant. What an object refers to may come
// after it, so that is never a reason to refuse; the status tells of it as well.
func (v *Validator) warnings(ctx context.Context, o v1alpha1.Object) []string {
	words := rules.Warnings(o)
	switch o := o.(type) {
	case *v1alpha1.MCPServer:
		words = append(words, v.connection(ctx, o)...)
	case *v1alpha1.SandboxImage:
		words = append(words, v.bundled(o)...)
	}
	if len(words) > 10 {
		words = append(words[:10], fmt.Sprintf("and %d more", len(words)-10))
	}
	return words
}

// bundled tells what becomes of a tenant's own image under the name of one that kora
// provides, as images.Bundled keeps it (R53). One that kora made has both labels.
func (v *Validator) bundled(o *v1alpha1.SandboxImage) []string {
	made := o.Labels[v1alpha1.LabelManagedBy] == v1alpha1.Operator && o.Labels[v1alpha1.LabelBundled] == o.Name
	switch {
	case made || !slices.Contains(v.platform.Bundled, o.Name):
		return nil
	case o.Name == v.platform.Base:
		return []string{fmt.Sprintf("metadata.name: %s is the platform's in every tenant's namespace, and the operator points it at the platform's image again; register yours under another name", o.Name)}
	}
	return []string{fmt.Sprintf("metadata.name: %s is the name of an image that kora provides; yours is left alone and stands in for it", o.Name)}
}

func (v *Validator) connection(ctx context.Context, s *v1alpha1.MCPServer) []string {
	if s.Spec.ConnectionRef == nil {
		return nil
	}
	var c v1alpha1.Connection
	err := v.cached.Get(ctx, client.ObjectKey{Namespace: s.Namespace, Name: s.Spec.ConnectionRef.Name}, &c)
	if apierrors.IsNotFound(err) {
		return []string{fmt.Sprintf("spec.connectionRef.name: there is no Connection %s in %s yet", s.Spec.ConnectionRef.Name, s.Namespace)}
	}
	if err != nil {
		return nil // the status tells
	}
	if faults := rules.ConnectionOf(s, &c); len(faults) > 0 {
		return []string{rules.Message(faults)}
	}
	return nil
}

package upkeep

import (
	"context"
	"fmt"

	"github.com/runkora/kora/operator/api/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// OfChart is the owner of what is worth nothing once the chart is uninstalled: it goes
// then, by the garbage collector. It is the operator's ServiceAccount in the system
// namespace: the chart makes it, no rollout makes another one, forced or not, and the
// operator may read it without a right of its own. An installation without it is one
// that is on its way out, and an error.
//
// The reader is none of a cache. The API server lets whoever creates an object give it
// an owner; to give it one later takes the right to delete it.
func OfChart(ctx context.Context, reader client.Reader, system string) (metav1.OwnerReference, error) {
	account := &corev1.ServiceAccount{}
	if err := reader.Get(ctx, client.ObjectKey{Namespace: system, Name: v1alpha1.Operator}, account); err != nil {
		return metav1.OwnerReference{}, fmt.Errorf("read the ServiceAccount %s, which the chart makes: %w", v1alpha1.Operator, err)
	}
	return metav1.OwnerReference{APIVersion: "v1", Kind: "ServiceAccount", Name: account.Name, UID: account.UID}, nil
}

// Owned reports whether an object has such an owner, whichever it was: of one that is
// no more the garbage collector takes it away.
func Owned(o metav1.Object) bool {
	for _, r := range o.GetOwnerReferences() {
		if r.APIVersion == "v1" && r.Kind == "ServiceAccount" && r.Name == v1alpha1.Operator {
			return true
		}
	}
	return false
}

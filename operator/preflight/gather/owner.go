package gather

import (
	"context"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"github.com/runkora/kora/operator/preflight/facts"
)

// owner reads who has an object of this name already: a dry run would only show
// the labels that it brings itself. Hooks are made anew each time, and objects
// of an agent type are the operator's.
func owner(ctx context.Context, at dynamic.ResourceInterface, o *unstructured.Unstructured, into *facts.Answer) {
	if _, hook := o.GetAnnotations()["helm.sh/hook"]; hook || o.GetLabels()["app.kubernetes.io/managed-by"] == "kora-agents" {
		return
	}
	found, err := at.Get(ctx, o.GetName(), metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
	case err != nil:
		into.Unread = unread[facts.Owner](err).Missing
	default:
		into.Owner = ownerOf(found)
	}
}

func ownerOf(o *unstructured.Unstructured) *facts.Owner {
	labels, notes := o.GetLabels(), o.GetAnnotations()
	out := &facts.Owner{ManagedBy: labels["app.kubernetes.io/managed-by"], Release: notes["meta.helm.sh/release-name"], Namespace: notes["meta.helm.sh/release-namespace"]}
	out.ArgoCD = notes["argocd.argoproj.io/tracking-id"] != "" || labels["argocd.argoproj.io/instance"] != ""
	for _, m := range o.GetManagedFields() {
		out.ArgoCD = out.ArgoCD || strings.HasPrefix(m.Manager, "argocd")
	}
	return out
}

package cmp

import "github.com/runkora/kora/internal/source"

// The annotations that make a hook of an object for Argo CD.
const (
	argoHook = "argocd.argoproj.io/hook"
	helmHook = "helm.sh/hook"
)

// stays reports whether an object is, to Argo CD, one of those that belong to the
// application and stay. It takes a list for what is in it, whatever its kind, and a
// hook, a test or a skipped object for none: where there are no others, everything
// else of the application is pruned (R43). A crd-install of Helm 2 is a plain object.
func stays(n *source.Node) bool {
	switch items := n.Field("items"); {
	case items == nil:
	case items.Value != nil && items.Value.Kind == source.Sequence:
		for _, item := range items.Value.Items {
			if stays(item) {
				return true
			}
		}
		return false
	case items.Value.Null() && n.Get("spec") == nil && n.Get("status") == nil:
		return false
	}
	notes := n.Get("metadata").Get("annotations")
	if notes.Field(argoHook) != nil {
		return false
	}
	hook := notes.Get(helmHook)
	return hook == nil || hook.Value == "crd-install"
}

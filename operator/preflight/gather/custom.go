package gather

import (
	"context"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/runkora/kora/operator/preflight/facts"
)

var (
	spiffeIDs   = schema.GroupVersionResource{Group: "spire.spiffe.io", Version: "v1alpha1", Resource: "clusterspiffeids"}
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
)

// definitions reads which versions of the one definition that kora needs of
// others are served.
func (r *reader) definitions(ctx context.Context) facts.Part[map[string][]string] {
	name := spiffeIDs.Resource + "." + spiffeIDs.Group
	found, err := r.dynamic.Resource(definitions).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return facts.Known(map[string][]string{})
	}
	if err != nil {
		return unread[map[string][]string](err)
	}
	versions, _, _ := unstructured.NestedSlice(found.Object, "spec", "versions")
	var served []string
	for _, v := range versions {
		if m, ok := v.(map[string]any); ok && m["served"] == true {
			served = append(served, m["name"].(string))
		}
	}
	slices.Sort(served)
	return facts.Known(map[string][]string{name: served})
}

func (r *reader) spiffeIDs(ctx context.Context) facts.Part[[]facts.SpiffeID] {
	list, err := r.dynamic.Resource(spiffeIDs).List(ctx, metav1.ListOptions{})
	if apierrors.IsNotFound(err) { // no definition: a check of its own says so
		return facts.Known([]facts.SpiffeID{})
	}
	if err != nil {
		return unread[[]facts.SpiffeID](err)
	}
	out := []facts.SpiffeID{}
	for _, item := range list.Items {
		if item.GetLabels()["app.kubernetes.io/part-of"] == "kora" {
			continue
		}
		class, _, _ := unstructured.NestedString(item.Object, "spec", "className")
		fallback, _, _ := unstructured.NestedBool(item.Object, "spec", "fallback")
		out = append(out, facts.SpiffeID{Name: item.GetName(), Class: class, Fallback: fallback, Everywhere: everywhere(item)})
	}
	slices.SortFunc(out, func(a, b facts.SpiffeID) int { return strings.Compare(a.Name, b.Name) })
	return facts.Known(out)
}

// everywhere reports whether a ClusterSPIFFEID takes pods by no label, in
// namespaces that it only excludes some of, as SPIRE's default one does.
func everywhere(id unstructured.Unstructured) bool {
	pods, _, _ := unstructured.NestedMap(id.Object, "spec", "podSelector")
	namespaces, _, _ := unstructured.NestedMap(id.Object, "spec", "namespaceSelector")
	if len(pods) > 0 || namespaces["matchLabels"] != nil {
		return false
	}
	expressions, _ := namespaces["matchExpressions"].([]any)
	return !slices.ContainsFunc(expressions, func(e any) bool {
		m, _ := e.(map[string]any)
		return m["operator"] != "NotIn" && m["operator"] != "DoesNotExist"
	})
}

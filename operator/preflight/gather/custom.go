package gather

import (
	"context"
	"errors"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/runkora/kora/internal/kube"
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
			name, _ := m["name"].(string)
			served = append(served, name)
		}
	}
	slices.Sort(served)
	return facts.Known(map[string][]string{name: served})
}

func (r *reader) spiffeIDs(ctx context.Context) facts.Part[[]facts.SpiffeID] {
	out := []facts.SpiffeID{}
	list := func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		return r.dynamic.Resource(spiffeIDs).List(ctx, o)
	}
	err := r.each(ctx, metav1.ListOptions{}, list, func(o runtime.Object) error {
		item := o.(*unstructured.Unstructured)
		if item.GetLabels()["app.kubernetes.io/part-of"] == "kora" {
			return nil
		}
		one, err := spiffeID(*item)
		size := len(one.Name) + len(one.Class) + perItem
		for _, s := range []*metav1.LabelSelector{one.Namespaces, one.Pods} {
			if s != nil {
				size += s.Size()
			}
		}
		out = append(out, one)
		return errors.Join(err, r.kept.Keep(size))
	})
	if apierrors.IsNotFound(err) { // no definition: a check of its own says so
		return facts.Known([]facts.SpiffeID{})
	}
	if err != nil {
		return unread[[]facts.SpiffeID](err)
	}
	slices.SortFunc(out, func(a, b facts.SpiffeID) int { return strings.Compare(a.Name, b.Name) })
	return facts.Known(out)
}

func spiffeID(o unstructured.Unstructured) (facts.SpiffeID, error) {
	class, _, _ := unstructured.NestedString(o.Object, "spec", "className")
	fallback, _, _ := unstructured.NestedBool(o.Object, "spec", "fallback")
	namespaces, err := selector(o, "namespaceSelector")
	pods, podsErr := selector(o, "podSelector")
	if err = errors.Join(err, podsErr); err != nil {
		err = kube.Said("the selectors of ClusterSPIFFEID " + o.GetName() + " are none")
	}
	return facts.SpiffeID{Name: o.GetName(), Class: class, Fallback: fallback, Namespaces: namespaces, Pods: pods}, err
}

// selector reads one of an object's selectors, nil where it has none.
func selector(o unstructured.Unstructured, name string) (*metav1.LabelSelector, error) {
	found, there, err := unstructured.NestedMap(o.Object, "spec", name)
	if err != nil || !there {
		return nil, err
	}
	out := &metav1.LabelSelector{}
	return out, runtime.DefaultUnstructuredConverter.FromUnstructured(found, out)
}

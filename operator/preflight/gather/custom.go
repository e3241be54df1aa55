package gather

import (
	"context"
	"errors"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/operator/api/v1alpha1"
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
		if Ours(item, r.Settings.Namespace) {
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

// spiffeTemplate is the identity that kora's own give a pod (R26).
const spiffeTemplate = "spiffe://{{ .TrustDomain }}/ns/{{ .PodMeta.Namespace }}/sa/{{ .PodSpec.ServiceAccountName }}"

// Ours reports whether a ClusterSPIFFEID does what those of kora's chart do: the
// same identity, for one service of the system namespace or for the agents of
// tenants, and nothing besides. Whoever made it, it races none; a label that says
// that it is kora's anybody can set.
func Ours(o *unstructured.Unstructured, namespace string) bool {
	spec, _, _ := unstructured.NestedMap(o.Object, "spec")
	for key := range spec {
		if !slices.Contains([]string{"className", "spiffeIDTemplate", "namespaceSelector", "podSelector"}, key) {
			return false
		}
	}
	namespaces, err := selector(*o, "namespaceSelector")
	pods, podsErr := selector(*o, "podSelector")
	if spec["spiffeIDTemplate"] != spiffeTemplate || err != nil || podsErr != nil || namespaces == nil || pods == nil {
		return false
	}
	service := equality.Semantic.DeepEqual(*namespaces, metav1.LabelSelector{MatchLabels: map[string]string{corev1.LabelMetadataName: namespace}}) &&
		pods.MatchLabels["app"] != "" && len(pods.MatchLabels) == 1 && len(pods.MatchExpressions) == 0
	agents := equality.Semantic.DeepEqual(*namespaces, only(v1alpha1.LabelTenant, metav1.LabelSelectorOpExists)) &&
		equality.Semantic.DeepEqual(*pods, only("runkora.io/component", metav1.LabelSelectorOpIn, "session-manager", "sandbox"))
	return service || agents
}

// only is a selector of one expression.
func only(key string, operator metav1.LabelSelectorOperator, values ...string) metav1.LabelSelector {
	return metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: key, Operator: operator, Values: values}}}
}

func spiffeID(o unstructured.Unstructured) (facts.SpiffeID, error) {
	class, _, _ := unstructured.NestedString(o.Object, "spec", "className")
	fallback, said, _ := unstructured.NestedBool(o.Object, "spec", "fallback")
	namespaces, err := selector(o, "namespaceSelector")
	pods, podsErr := selector(o, "podSelector")
	if err = errors.Join(err, podsErr); err != nil {
		err = kube.Said("the selectors of ClusterSPIFFEID " + o.GetName() + " are none")
	}
	return facts.SpiffeID{Name: o.GetName(), Class: class, Fallback: fallback, Declined: said && !fallback, Namespaces: namespaces, Pods: pods}, err
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

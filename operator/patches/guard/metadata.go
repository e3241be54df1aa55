package guard

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/operator/agents"
)

func (c *checker) object(typeA, typeB metav1.TypeMeta, a, b metav1.ObjectMeta) {
	c.same("apiVersion", typeA.APIVersion, typeB.APIVersion, whyIdentity)
	c.same("kind", typeA.Kind, typeB.Kind, whyIdentity)
	c.metadata("metadata", a, b)
}

// metadata leaves to a patch the labels and annotations that are not kora's,
// and nothing else: all the other fields say which object it is, or are the
// cluster's own.
func (c *checker) metadata(at fields.Path, a, b metav1.ObjectMeta) {
	c.owned(at.Child("labels"), a.Labels, b.Labels)
	c.owned(at.Child("annotations"), a.Annotations, b.Annotations)
	a.Labels, a.Annotations, b.Labels, b.Annotations = nil, nil, nil, nil
	c.same(at, a, b, whyIdentity)
}

// owned compares the keys that are kora's by name, and those that kora set.
func (c *checker) owned(at fields.Path, before, after map[string]string) {
	if lost := owned(before); len(lost) > 1 && len(owned(after)) == 0 { // one cause
		c.add(Violation{
			Code: faults.Protected, Path: at, Message: "a patch may not take away the labels and annotations that kora owns",
			Found: "(none)", Expected: strings.Join(lost, ", "), Fix: "take this out of the patch, or set the values that kora gives them",
		})
		return
	}
	keys := slices.AppendSeq(slices.Collect(maps.Keys(before)), maps.Keys(after))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		was, had := before[key]
		is, has := after[key]
		reason, owned := agents.Owned(key)
		if had == has && was == is || !owned {
			continue
		}
		c.add(Violation{
			Code: faults.Protected, Path: at.Child(key), Message: fmt.Sprintf("%s: %s", whyOwned, reason),
			Found: present(is, has), Expected: present(was, had), Fix: "take this key out of the patch",
		})
	}
}

// owned are the keys that are kora's, in order.
func owned(in map[string]string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(in)), func(key string) bool { _, is := agents.Owned(key); return !is })
}

func present(value string, has bool) string {
	if !has {
		return "(none)"
	}
	return cut(value)
}

// cloudIdentity: the sandbox runs the agent's code, so no cloud may take it
// for somebody (R5). Taking such a key away is no harm.
func (c *checker) cloudIdentity(at fields.Path, before, after map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(after)) {
		was, had := before[key]
		if had && was == after[key] || !agents.CloudIdentity(key) {
			continue
		}
		c.add(Violation{
			Code: faults.Protected, Path: at.Child(key), Message: "a patch may not give the sandbox a cloud identity",
			Found: cut(after[key]), Expected: present(was, had),
			Fix: "take this key out of the patch; an identity for the agent belongs into agents.workloads.sessionManager.serviceAccount.annotations",
		})
	}
}

// networks: the operator's webhook refuses such a pod. Taking a key away is no harm.
func (c *checker) networks(at fields.Path, before, after map[string]string) {
	for _, key := range sorted(after) {
		if was, had := before[key]; agents.Network(key) && (!had || was != after[key]) {
			c.add(Violation{
				Code: faults.Protected, Path: at.Child(key), Message: "a patch may not choose networks or addresses, which no policy of the tenant and no sidecar sees",
				Found: cut(after[key]), Expected: present(was, had), Fix: "take this key out of the patch",
			})
		}
	}
}

func sorted(in map[string]string) []string { return slices.Sorted(maps.Keys(in)) }

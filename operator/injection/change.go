package injection

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/runkora/kora/operator/agents"
)

// Change gives the faults of a change of a pod of a tenant, by whichever resource it
// comes (pods, pods/status, pods/ephemeralcontainers, pods/resize): whatever is refused
// in a new pod and was not there before, by the same rules, and what stays as it was
// admitted for as long as the pod is there, being deleted or not (R11, R54).
func (i *Injector) Change(old, pod *corev1.Pod, tenant string) field.ErrorList {
	before := i.judge(old, tenant)
	faults := fixed(old, pod, before)
	told := fieldsOf(faults)
	for _, f := range fresh(before, i.judge(pod, tenant)) {
		if !told.Has(f.Field) { // one cause
			faults = append(faults, f)
		}
	}
	return faults
}

// fresh are the faults that were not there before.
func fresh(before, after field.ErrorList) field.ErrorList {
	had := sets.New[string]()
	for _, f := range before {
		had.Insert(f.Error())
	}
	return slices.DeleteFunc(after, func(f *field.Error) bool { return had.Has(f.Error()) })
}

// fieldsOf are the fields that have a fault.
func fieldsOf(faults field.ErrorList) sets.Set[string] {
	some := sets.New[string]()
	for _, f := range faults {
		some.Insert(f.Field)
	}
	return some
}

// fixed refuses a change of the keys by which a pod is known, and of its sidecars. A
// key that was wrong may go.
func fixed(old, pod *corev1.Pod, before field.ErrorList) field.ErrorList {
	keeps := func(key string) bool { return slices.Contains(identifying, key) }
	if isAgent(old.Labels) || isAgent(pod.Labels) {
		keeps = func(key string) bool { _, is := agents.Owned(key); return is }
	}
	meta := field.NewPath("metadata")
	wrong := fieldsOf(before)
	faults := kept(meta.Child("labels"), old.Labels, pod.Labels, keeps, wrong)
	faults = append(faults, kept(meta.Child("annotations"), old.Annotations, pod.Annotations, keeps, wrong)...)
	if isAgent(old.Labels) {
		faults = append(faults, sidecars(old, pod)...)
	}
	return faults
}

func kept(at *field.Path, old, now map[string]string, keeps func(string) bool, wrong sets.Set[string]) field.ErrorList {
	var faults field.ErrorList
	keys := slices.AppendSeq(slices.Collect(maps.Keys(old)), maps.Keys(now))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		was, had := old[key]
		is, has := now[key]
		if had == has && was == is || !keeps(key) {
			continue
		}
		if !has && wrong.Has(at.Key(key).String()) && !slices.Contains(identifying, key) {
			continue
		}
		faults = append(faults, bad(at.Key(key), is, "cannot change from %q: a pod stays what it was made as; make another pod", was))
	}
	return faults
}

// sidecars refuses every change of kora's sidecar and the mesh's.
func sidecars(old, pod *corev1.Pod) field.ErrorList {
	was, is := sidecarsOf(old), sidecarsOf(pod)
	var faults field.ErrorList
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if now, there := is[name]; !there || !equality.Semantic.DeepEqual(was[name].Container, now.Container) {
			faults = append(faults, bad(was[name].at(field.NewPath("spec")), name, "is a sidecar, and stays as it was added; leave the container alone, or make another pod"))
		}
	}
	return faults
}

func sidecarsOf(pod *corev1.Pod) map[string]contained {
	some := map[string]contained{}
	for each := range all(pod) {
		if each.list != "ephemeralContainers" && (meshContainer(each.Name) || strings.HasPrefix(each.Name, "kora-")) {
			some[each.Name] = each
		}
	}
	return some
}

package patches

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/patches/guard"
)

// judge decides what only all patches together settle: Pod Security, the
// split of the two placements, and the sandbox's pin.
func (r *run) judge() {
	for _, o := range r.objects {
		r.restricted(o)
		r.pin(o)
	}
	r.split()
}

// podOf returns the pod in an object that has one, and the path of its spec.
func podOf(o runtime.Object) (*metav1.ObjectMeta, *corev1.PodSpec, fields.Path) {
	switch o := o.(type) {
	case *appsv1.StatefulSet:
		return &o.Spec.Template.ObjectMeta, &o.Spec.Template.Spec, "spec.template.spec"
	case *corev1.Pod:
		return &o.ObjectMeta, &o.Spec, "spec"
	}
	return nil, nil, ""
}

func judged(built, patched runtime.Object) []guard.Violation {
	meta, spec, at := podOf(patched)
	if spec == nil {
		return nil
	}
	_, before, _ := podOf(built)
	return guard.Restricted(at, meta, before, spec)
}

// restricted blames, for each thing that the last state is refused for, the
// last patch after which it began to be.
func (r *run) restricted(o *Object) {
	for _, v := range judged(o.built, o.Typed) {
		culprit := anyPatch
		for i := len(o.history) - 1; i >= 0 && o.wasRefused(i, v); i-- {
			culprit = o.history[i].patch
		}
		r.found = append(r.found, o.refuse(culprit, v))
	}
}

func (o *Object) wasRefused(i int, v guard.Violation) bool {
	typed, err := decode(o.history[i].now, o.kind)
	return err == nil && slices.ContainsFunc(judged(o.built, typed), func(w guard.Violation) bool {
		return w.Message == v.Message && w.Path == v.Path
	})
}

// pin: on a workspace that one node holds, a sandbox anywhere else would
// never start (R8).
func (r *run) pin(o *Object) {
	pod, ok := o.Typed.(*corev1.Pod)
	if !ok || !agents.Pinned(o.built.(*corev1.Pod), r.settings.Slug) {
		return
	}
	if !agents.Pinned(pod, r.settings.Slug) {
		const at = "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution"
		v := guard.Violation{Code: faults.UnpinnedSandbox, Path: at, Message: "the sandbox loses its pin to the node of its workspace, which is not ReadWriteMany"}
		v.Fix = "add to the list with a JSON6902 add, which keeps kora's term, or use a ReadWriteMany workspace"
		r.found = append(r.found, o.refuse(anyPatch, v))
	}
	if pod.Spec.NodeName != "" {
		v := guard.Violation{Code: faults.UnpinnedSandbox, Path: "spec.nodeName", Message: "a sandbox with a node name passes the scheduler by, which would keep it with its workspace"}
		v.Found, v.Fix = pod.Spec.NodeName, "use nodeSelector or affinity"
		r.found = append(r.found, o.refuse(anyPatch, v))
	}
}

// split refuses a placement that would leave sandboxes waiting for ever (R9),
// and tells whether the settings alone did it or a patch.
func (r *run) split() {
	set, pod := r.find("StatefulSet"), r.find("Pod")
	if agents.Shared(r.settings.Workspace.Claim.Spec.AccessModes) {
		return
	}
	_, manager, _ := podOf(set.Typed)
	_, sandbox, _ := podOf(pod.Typed)
	split := agents.SplitPlacement(manager, sandbox)
	if split == nil {
		return
	}
	f := source.Pos{}.Fault(faults.SplitPlacement, "")
	if at := r.splitter(set, pod); at.File != nil {
		f = at.Fault(faults.SplitByPatch, "")
	}
	f.Message = "the session-manager and the sandbox are placed apart over a workspace that is not ReadWriteMany"
	f.Object, f.Found = pod.Title(), sample(split)
	f.Expected = "every node of the session-manager admitted for the sandbox"
	f.Fix = "place both alike, or set agents.workspace.accessModes to [ReadWriteMany]"
	r.found = append(r.found, f)
}

func sample(s *agents.Split) string {
	if s.Undecided {
		return "node selectors and affinities that are too complex to compare"
	}
	var out []string
	for _, k := range slices.Sorted(maps.Keys(s.Node)) {
		out = append(out, k+"="+s.Node[k])
	}
	return fmt.Sprintf("a node labelled {%s} takes the session-manager and not the sandbox", strings.Join(out, ", "))
}

// splitter is the last patch that wrote a placement or the claim's modes.
func (r *run) splitter(set, pod *Object) source.Pos {
	for _, c := range []struct {
		o  *Object
		at fields.Path
	}{
		{pod, "spec.nodeSelector"}, {pod, "spec.affinity"}, {set, "spec.template.spec.nodeSelector"}, {set, "spec.template.spec.affinity"},
		{r.find("PersistentVolumeClaim"), "spec.accessModes"},
	} {
		for i := len(c.o.Writes) - 1; i >= 0; i-- {
			if w := &c.o.Writes[i]; w.Path.Within(c.at) || c.at.Within(w.Path) {
				return w.At
			}
		}
	}
	return source.Pos{}
}

func (r *run) find(kind string) *Object {
	for _, o := range r.objects {
		if o.Kind == kind {
			return o
		}
	}
	return nil
}

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
		r.sound(o)
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

// restricted lets Pod Security judge the containers that were added, and then
// the pod as a whole.
func (r *run) restricted(o *Object) {
	meta, spec, at := podOf(o.Typed)
	if spec == nil || len(o.history) == 0 {
		return
	}
	_, built, _ := podOf(o.built)
	added := guard.Added(at, built, spec)
	for _, v := range added {
		r.found = append(r.found, o.creator(v.Path).Move(o.refuse(anyPatch, v)))
	}
	told := len(o.reported)+len(added) > 0
	for _, v := range guard.Restricted(at, meta, built, spec, told) {
		r.found = append(r.found, o.culprit(v, told).Move(o.refuse(anyPatch, v)))
	}
}

// creator is the place of a container's field in the patch that gave the
// container its name; later ones only changed it.
func (o *Object) creator(at fields.Path) source.Pos {
	container := at[:strings.LastIndexByte(string(at), ']')+1]
	if w := o.writer(anyPatch, container.Child("name")); w != nil {
		return w.edit.locate(at)
	}
	return source.Pos{}
}

// culprit is the place of the last write of the patch after which the pod
// began to be refused for this.
func (o *Object) culprit(v guard.Violation, told bool) source.Pos {
	first := len(o.history) - 1
	for first > 0 && o.wasRefused(first-1, v, told) {
		first--
	}
	var at source.Pos
	for _, w := range o.Writes {
		if w.patch == o.history[first].patch && w.Path.Within(v.Path) {
			at = w.At
		}
	}
	return at
}

func (o *Object) wasRefused(i int, v guard.Violation, told bool) bool {
	typed, err := o.state(i)
	if err != nil {
		return false
	}
	meta, spec, at := podOf(typed)
	_, built, _ := podOf(o.built)
	return slices.ContainsFunc(guard.Restricted(at, meta, built, spec, told), func(w guard.Violation) bool { return w.Message == v.Message })
}

// pin: on a workspace that one node holds, a sandbox anywhere else would
// never start (R8). On any other the operator's webhook admits none with a node
// name either.
func (r *run) pin(o *Object) {
	pod, ok := o.Typed.(*corev1.Pod)
	if !ok {
		return
	}
	pinned, node := agents.Pinned(o.built.(*corev1.Pod), r.settings.Slug), guard.Violation{
		Code: faults.Protected, Path: "spec.nodeName", Message: guard.WhyScheduler, Found: pod.Spec.NodeName, Expected: "(none)", Fix: "use nodeSelector or affinity",
	}
	if pinned {
		node.Code, node.Expected = faults.UnpinnedSandbox, ""
		node.Message = "a sandbox with a node name passes the scheduler by, which would keep it with its workspace"
	}
	if pinned && !agents.Pinned(pod, r.settings.Slug) {
		const at = "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution"
		v := guard.Violation{Code: faults.UnpinnedSandbox, Path: at, Message: "the sandbox loses its pin to the node of its workspace, which is not ReadWriteMany"}
		v.Fix = "add to the list with a JSON6902 add, which keeps kora's term, or use a ReadWriteMany workspace"
		r.found = append(r.found, o.refuse(anyPatch, v))
	}
	if pod.Spec.NodeName != "" {
		r.found = append(r.found, o.refuse(anyPatch, node))
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
	if len(s.Node) == 0 {
		return "a node without any of the labels takes the session-manager and not the sandbox"
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

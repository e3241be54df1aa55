package sizing

import (
	"context"
	"maps"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	classes "k8s.io/client-go/kubernetes/typed/node/v1"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/operator/placement"
)

// Admitted is a pod as the API server lets it in: with a request for each limit that
// has none, and with what its RuntimeClass adds: the overhead, which the scheduler
// counts, a node selector and tolerations. Where the class is not there or cannot be
// read, or goes with this pod in no way, that is found, and there is no pod.
func Admitted(ctx context.Context, from classes.RuntimeClassInterface, pod *corev1.Pod) (*corev1.Pod, faults.List) {
	out := pod.DeepCopy()
	requestLimits(&out.Spec)
	class, found := classOf(ctx, from, &out.Spec)
	if found.Refused() {
		return nil, found
	}
	if found := refusals(class, &out.Spec); found.Refused() {
		return nil, found
	}
	if class.Overhead != nil {
		out.Spec.Overhead = class.Overhead.PodFixed
	}
	out.Spec = *placement.WithClass(&out.Spec, class.Scheduling)
	return out, nil
}

// classOf is the pod's class, an empty one where it names none.
func classOf(ctx context.Context, from classes.RuntimeClassInterface, spec *corev1.PodSpec) (*nodev1.RuntimeClass, faults.List) {
	if spec.RuntimeClassName == nil {
		return &nodev1.RuntimeClass{}, nil
	}
	name := *spec.RuntimeClassName
	class, err := from.Get(ctx, name, metav1.GetOptions{})
	if err = kube.Answered(err); apierrors.IsNotFound(err) {
		f := refused("spec.runtimeClassName", "the cluster has no such RuntimeClass, and refuses each pod of it", name)
		f.Fix = "install what brings the class, or name in the patches of the sandbox one that kubectl get runtimeclasses shows"
		return nil, faults.List{f}
	}
	if err != nil {
		f := kube.Fault(err)
		f.Field = "spec.runtimeClassName"
		return nil, faults.List{f}
	}
	return class, nil
}

// refusals are why the API server would not let a pod of this class in.
func refusals(class *nodev1.RuntimeClass, spec *corev1.PodSpec) faults.List {
	var found faults.List
	for _, key := range placement.Against(spec, class.Scheduling) {
		f := refused("spec.nodeSelector", "the pod and its RuntimeClass select nodes of different values of one label, and the API server refuses the pod", key+"="+spec.NodeSelector[key])
		f.Expected = key + "=" + class.Scheduling.NodeSelector[key] + ", as RuntimeClass " + class.Name + " has it"
		f.Fix = "leave the label out of the node selector in agents.workloads.sandbox and in the patches, or name another class"
		found = append(found, f)
	}
	overhead := corev1.ResourceList{}
	if class.Overhead != nil {
		overhead = class.Overhead.PodFixed
	}
	if len(spec.Overhead) > 0 && !equality.Semantic.DeepEqual(spec.Overhead, overhead) {
		f := refused("spec.overhead", "a pod's overhead is that of its RuntimeClass, and the API server refuses another", short(Exact(of(spec.Overhead))))
		f.Expected = short(Exact(of(overhead)))
		f.Fix = "take spec.overhead out of the patches: the API server writes it"
		found = append(found, f)
	}
	return found
}

func refused(field, message, is string) faults.Fault {
	f := faults.New(faults.PodRefused, message)
	f.File, f.Object, f.Field, f.Found = "cluster", "the sandbox's pod", field, is
	return f
}

// requestLimits has each container request its limit of what it says no request for.
func requestLimits(spec *corev1.PodSpec) {
	for _, list := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range list {
			r := &list[i].Resources
			all := maps.Clone(r.Limits)
			if all == nil {
				continue
			}
			maps.Copy(all, r.Requests)
			r.Requests = all
		}
	}
}

package injection

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/runkora/kora/operator/admission/gate"
	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/tenants"
)

const (
	// patience is below the webhook's timeout, so that an answer says what was slow.
	patience = 3 * time.Second
	// maxName is the API server's own, of the name of a pod.
	maxName = 253
)

// Handle answers one request: the creation of a pod, or a change of one by itself or
// by one of its subresources.
func (i *Injector) Handle(ctx context.Context, r admission.Request) admission.Response {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if len(r.Object.Raw) > maxPod { // and so gets no place to wait either
		return admission.Errored(http.StatusRequestEntityTooLarge, fmt.Errorf("the pod has %d bytes, and kora reads pods of at most %d; make it smaller: ConfigMaps and volumes hold what is long", len(r.Object.Raw), maxPod))
	}
	leave, err := i.gate.Enter(ctx, r.Namespace, len(r.Object.Raw)+len(r.OldObject.Raw))
	if err != nil {
		return gate.Refused(err)
	}
	defer leave()
	if refused, is := bounded(r); is {
		return refused
	}
	return i.judged(ctx, r)
}

// judged answers a request that is bounded, and has its turn. What nobody waits for
// any more is not judged.
func (i *Injector) judged(ctx context.Context, r admission.Request) admission.Response {
	pod := &corev1.Pod{}
	if err := json.Unmarshal(r.Object.Raw, pod); err != nil {
		return admission.Errored(http.StatusBadRequest, fmt.Errorf("the pod cannot be read: %w", err))
	}
	tenant, err := tenants.HomeOf(ctx, i.cached, i.direct, r.Namespace)
	if err == nil {
		err = ctx.Err()
	}
	switch {
	case err != nil:
		return unknown(err)
	case r.Operation == admissionv1.Update:
		return i.changed(r, pod, tenant)
	case tenant == "":
		return answer(r, pod, stranger(r, pod))
	}
	return i.made(ctx, r, pod, tenant)
}

// made answers for a new pod of a tenant.
func (i *Injector) made(ctx context.Context, r admission.Request, pod *corev1.Pod, tenant string) admission.Response {
	out, faults := i.Inject(pod, tenant)
	if isAgent(pod.Labels) && len(faults) == 0 {
		others, err := i.otherType(ctx, r.Namespace, pod)
		if err != nil {
			return unknown(err)
		}
		paused, err := i.suspended(ctx, pod, tenant)
		if err != nil {
			return unknown(err)
		}
		copied, err := i.copies(ctx, r, pod)
		if err != nil {
			return unknown(err)
		}
		faults = append(append(others, paused...), copied...)
	}
	if len(faults) > 0 {
		return denied(r, nameOf(pod), faults)
	}
	if err := ctx.Err(); err != nil {
		return unknown(err)
	}
	if out == pod {
		return admission.Allowed("")
	}
	return patch(pod, out)
}

// changed answers for a change of a pod. In a namespace of nobody's a pod becomes no
// tenant's either.
func (i *Injector) changed(r admission.Request, pod *corev1.Pod, tenant string) admission.Response {
	old := &corev1.Pod{}
	if err := json.Unmarshal(r.OldObject.Raw, old); err != nil {
		return admission.Errored(http.StatusBadRequest, fmt.Errorf("the pod cannot be read: %w", err))
	}
	if tenant == "" {
		keeps := func(key string) bool { return slices.Contains(identifying, key) }
		return answer(r, pod, kept(field.NewPath("metadata", "labels"), old.Labels, pod.Labels, keeps, nil))
	}
	return answer(r, pod, i.Change(old, pod, tenant))
}

// suspended refuses a run of a tenant that is suspended. Its session-managers stay,
// and come back where a node is lost.
func (i *Injector) suspended(ctx context.Context, pod *corev1.Pod, tenant string) (field.ErrorList, error) {
	if pod.Labels[agents.LabelComponent] != agents.ComponentSandbox {
		return nil, nil
	}
	o := &v1alpha1.KoraTenant{}
	err := i.cached.Get(ctx, client.ObjectKey{Name: tenant}, o)
	if apierrors.IsNotFound(err) {
		err = i.direct.Get(ctx, client.ObjectKey{Name: tenant}, o)
	}
	if err != nil {
		return nil, fmt.Errorf("read the KoraTenant %s: %w", tenant, err)
	}
	if !o.Spec.Suspended {
		return nil, nil
	}
	return field.ErrorList{bad(field.NewPath("metadata", "labels").Key(agents.LabelTenant), tenant, "is suspended, and no run of it starts; set spec.suspended of the KoraTenant %s to false", tenant)}, nil
}

func answer(r admission.Request, pod *corev1.Pod, faults field.ErrorList) admission.Response {
	if len(faults) > 0 {
		return denied(r, nameOf(pod), faults)
	}
	return admission.Allowed("")
}

// stranger answers for a namespace that has a tenant's label and is none: its pods
// are not kora's business, unless they say that they are.
func stranger(r admission.Request, pod *corev1.Pod) field.ErrorList {
	var faults field.ErrorList
	for _, key := range identifying {
		if value, has := pod.Labels[key]; has {
			faults = append(faults, bad(field.NewPath("metadata", "labels").Key(key), value,
				"marks a pod of a tenant, and the namespace %s is none that the operator made, whatever its labels say; remove it", r.Namespace))
		}
	}
	return faults
}

// identifying are the labels by which SPIRE, policies and kora know a pod.
var identifying = []string{agents.LabelAgentType, agents.LabelAgentSlug, agents.LabelComponent, agents.LabelTenant}

// otherType refuses a pod whose type and slug belong to different agents: the
// StatefulSets say which go together. Where there is none yet, nobody's is claimed.
// Whoever may write StatefulSets can claim a type for another agent, and so the oldest
// has it: nothing that is made later takes it away from an agent. Who asks is not known, so
// that the answer names nothing that the pod does not name itself.
func (i *Injector) otherType(ctx context.Context, namespace string, pod *corev1.Pod) (field.ErrorList, error) {
	var sets appsv1.StatefulSetList // the cache's own, which nobody changes: a copy of all is asked for by each pod
	if err := i.cached.List(ctx, &sets, client.InNamespace(namespace), client.HasLabels{agents.LabelAgentSlug}, client.UnsafeDisableDeepCopy); err != nil {
		return nil, fmt.Errorf("list the agents of %s: %w", namespace, err)
	}
	slug, kind := pod.Labels[agents.LabelAgentSlug], pod.Labels[agents.LabelAgentType]
	at := field.NewPath("metadata", "labels").Key(agents.LabelAgentType)
	var faults field.ErrorList
	var first *appsv1.StatefulSet
	for n := range sets.Items {
		set := &sets.Items[n]
		has, of := set.Labels[agents.LabelAgentType], set.Labels[agents.LabelAgentSlug]
		switch {
		case set.Name != agents.ObjectName(of): // not kora's
		case of == slug && has != kind:
			faults = append(faults, bad(at, kind, "is not the type of %s; write the one that the StatefulSet %s has in its label %s, in a preview with -agent-type-id", slug, set.Name, agents.LabelAgentType))
		case has == kind && (first == nil || rules.ByAge(set, first) < 0):
			first = set
		}
	}
	if first != nil && first.Labels[agents.LabelAgentSlug] != slug {
		faults = append(faults, bad(at, kind, "is the type of another agent than %s: a pod is never of another agent type; write the type of %s, or delete the oldest StatefulSet with this type, if kora-agents did not make it: kubectl -n %s get statefulsets -l %s=%s --sort-by=.metadata.creationTimestamp", slug, slug, namespace, agents.LabelAgentType, kind))
	}
	return faults, nil
}

// nameOf is as much of a pod's name as an answer has room for: nobody has looked at it.
func nameOf(pod *corev1.Pod) string {
	name := pod.Name
	if name == "" {
		name = pod.GenerateName
	}
	return name[:min(len(name), maxName)]
}

func denied(r admission.Request, name string, faults field.ErrorList) admission.Response {
	return admission.Response{AdmissionResponse: admissionv1.AdmissionResponse{Result: &metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden,
		Message: fmt.Sprintf("pod %s/%s: %s", r.Namespace, name, rules.Message(faults)),
	}}}
}

// unknown is the answer when a pod could not be judged: no is safe, and whoever
// makes the pod tries again.
func unknown(err error) admission.Response {
	return admission.Errored(http.StatusServiceUnavailable, fmt.Errorf("kora could not check this pod and lets none pass unchecked; try again: %w", err))
}

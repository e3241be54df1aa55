package gather

import (
	"context"
	"slices"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/operator/preflight/facts"
)

const (
	fieldManager = "kora-preflight"
	workers      = 8
)

// release tries every object by a server-side dry run, a few at once, and keeps
// the answers in the objects' order.
func (r *reader) release(ctx context.Context) facts.Part[[]facts.Answer] {
	if r.NoTrial {
		return facts.NotAsked[[]facts.Answer]("it was not tried")
	}
	if len(r.Release) == 0 {
		return facts.NotAsked[[]facts.Answer]("no release was given to try: kora preflight -f kora.yaml does")
	}
	disco, err := discovery.NewDiscoveryClientForConfigAndClient(r.config, r.client)
	if err != nil {
		return unread[[]facts.Answer](err)
	}
	groups, err := restmapper.GetAPIGroupResources(disco)
	if err != nil {
		return unread[[]facts.Answer](err)
	}
	t := &trial{reader: r, mapper: restmapper.NewDiscoveryRESTMapper(groups), coming: namespacesOf(r.Release)}
	return t.run(ctx)
}

// trial is one dry run of a release.
type trial struct {
	*reader
	mapper meta.RESTMapper
	coming map[string]bool // namespaces that the release itself makes
	first  error           // that says that nothing can be tried at all
	once   sync.Once

	mu     sync.Mutex
	unmade []facts.Answer // of what the account may not make, besides what it may not change
}

func namespacesOf(all []*unstructured.Unstructured) map[string]bool {
	out := map[string]bool{}
	for _, o := range all {
		if o.GetKind() == "Namespace" {
			out[o.GetName()] = true
		}
	}
	return out
}

func (t *trial) run(ctx context.Context) facts.Part[[]facts.Answer] {
	answers := make([]facts.Answer, len(t.Release))
	next := make(chan int)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := range next {
				answers[i] = t.try(ctx, t.Release[i], t.ofAgent(i))
			}
		})
	}
	for i := range t.Release {
		next <- i
	}
	close(next)
	group.Wait()
	if t.first == nil {
		of, asked := t.pods(ctx, answers)
		t.objects(answers, asked)
		slices.SortFunc(t.unmade, func(a, b facts.Answer) int { return strings.Compare(a.Object, b.Object) })
		answers = slices.Concat(answers, of, t.rooms(ctx, asked), t.unmade)
	}
	if t.first != nil {
		return unread[[]facts.Answer](t.first)
	}
	return facts.Known(answers)
}

// ofAgent reports whether an object is of an agent type.
func (t *trial) ofAgent(i int) bool { return i >= len(t.Release)-t.OfAgents }

// mostWarnings are more than one object has.
const mostWarnings = 20

// heard keeps what the server warns of.
type heard struct{ warnings []string }

func (h *heard) HandleWarningHeader(_ int, _ string, text string) {
	if len(h.warnings) < mostWarnings {
		h.warnings = append(h.warnings, kube.Warned(text))
	}
}

// try applies one object without keeping it. An object of a namespace that only
// the release makes cannot be tried before that is there.
//
// An object of an agent goes elsewhere in the end.
func (t *trial) try(ctx context.Context, o *unstructured.Unstructured, elsewhere bool) facts.Answer {
	answer := facts.Answer{Object: title(o)}
	mapping, err := t.mapper.RESTMapping(o.GroupVersionKind().GroupKind(), o.GroupVersionKind().Version)
	if err != nil {
		answer.Refused = kube.Line(err.Error())
		return answer
	}
	h := &heard{}
	config := rest.CopyConfig(t.config)
	config.WarningHandler = h
	client, err := dynamic.NewForConfigAndClient(config, t.client)
	if err != nil {
		answer.Refused = kube.Line(err.Error())
		return answer
	}
	var to dynamic.ResourceInterface = client.Resource(mapping.Resource)
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		to = client.Resource(mapping.Resource).Namespace(o.GetNamespace())
	}
	_, err = to.Apply(ctx, o.GetName(), o, metav1.ApplyOptions{FieldManager: fieldManager, Force: true, DryRun: []string{metav1.DryRunAll}})
	answer.Warnings = h.warnings
	if !elsewhere || !local(err) {
		t.answered(&answer, o, err)
	}
	if denied(err) {
		t.create(ctx, to, o)
	}
	if answer.Refused == "" {
		owner(ctx, to, o, &answer)
	}
	return answer
}

// create asks for the other right that an apply needs: the server tells of the first that is
// missing alone.
func (t *trial) create(ctx context.Context, to dynamic.ResourceInterface, o *unstructured.Unstructured) {
	_, err := to.Create(ctx, o, metav1.CreateOptions{FieldManager: fieldManager, DryRun: []string{metav1.DryRunAll}})
	if err == nil || !denied(err) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.unmade = append(t.unmade, facts.Answer{Object: title(o), Untried: kube.Words(kube.Answered(err))})
}

func (t *trial) answered(answer *facts.Answer, o *unstructured.Unstructured, err error) {
	switch {
	case err == nil:
	case apierrors.IsNotFound(err) && t.coming[o.GetNamespace()]:
	case busy(err), !apierrors.IsForbidden(err) && apierrors.ReasonForError(err) == metav1.StatusReasonUnknown:
		t.once.Do(func() { t.first = err })
	case denied(err), uncalled(kube.Answered(err)):
		answer.Untried = kube.Words(kube.Answered(err))
	default:
		answer.Refused = kube.Words(kube.Answered(err))
	}
}

func title(o *unstructured.Unstructured) string {
	if o.GetNamespace() == "" {
		return o.GetKind() + " " + o.GetName()
	}
	return o.GetKind() + " " + o.GetNamespace() + "/" + o.GetName()
}

package admission

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/api/v1alpha1"
)

// deletion protects a tenant in which something lives (R50): it goes only when
// whoever deletes it has seen what goes along and has said so on the object.
func (v *Validator) deletion(ctx context.Context, o v1alpha1.Object) admission.Response {
	t, is := o.(*v1alpha1.KoraTenant)
	if !is || t.DeletionTimestamp != nil || t.Annotations[v1alpha1.AnnotationConfirmDeletion] == t.Name {
		return admission.Allowed("")
	}
	p, err := v.plan(ctx, t)
	if err != nil {
		return unknown(err)
	}
	if p.empty() {
		return admission.Allowed("")
	}
	refused := admission.Denied(p.text(t))
	refused.Result.Code = http.StatusForbidden
	return refused
}

// plan is what lives in a tenant and is not the operator's own doing.
type plan struct {
	agents   []string
	replicas int
	counts   []string // "2 Connections"
}

func (p plan) empty() bool { return len(p.agents)+len(p.counts) == 0 }

func (v *Validator) plan(ctx context.Context, t *v1alpha1.KoraTenant) (plan, error) {
	var p plan
	here := client.InNamespace(v1alpha1.TenantNamespace(t.Name))
	var sets appsv1.StatefulSetList
	if err := v.cached.List(ctx, &sets, here, client.HasLabels{agents.LabelAgentSlug}); err != nil {
		return p, fmt.Errorf("list the agents of %s: %w", t.Name, err)
	}
	for _, set := range sets.Items {
		p.agents = append(p.agents, set.Labels[agents.LabelAgentSlug])
		p.replicas += int(set.Status.Replicas)
	}
	slices.Sort(p.agents)
	for _, kind := range []counter{
		counted("Connection", &v1alpha1.ConnectionList{}, func(l *v1alpha1.ConnectionList) int { return len(l.Items) }),
		counted("OAuthClient", &v1alpha1.OAuthClientList{}, func(l *v1alpha1.OAuthClientList) int { return len(l.Items) }),
		counted("MCPServer", &v1alpha1.MCPServerList{}, func(l *v1alpha1.MCPServerList) int { return len(l.Items) }),
		counted("ModelProvider", &v1alpha1.ModelProviderList{}, func(l *v1alpha1.ModelProviderList) int { return len(l.Items) }),
		counted("SandboxImage", &v1alpha1.SandboxImageList{}, own),
	} {
		if err := v.cached.List(ctx, kind.list, here); err != nil {
			return p, fmt.Errorf("list the %ss of %s: %w", kind.name, t.Name, err)
		}
		if n := kind.size(); n > 0 {
			p.counts = append(p.counts, plural(n, kind.name))
		}
	}
	return p, nil
}

// counter counts the objects of one kind.
type counter struct {
	name string
	list client.ObjectList
	size func() int
}

func counted[L client.ObjectList](name string, list L, size func(L) int) counter {
	return counter{name, list, func() int { return size(list) }}
}

// own counts the images that the operator did not make: it makes the others again.
func own(l *v1alpha1.SandboxImageList) int {
	n := 0
	for _, image := range l.Items {
		if image.Labels[v1alpha1.LabelManagedBy] != v1alpha1.Operator {
			n++
		}
	}
	return n
}

func plural(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", n, name)
}

// text is the plan in words, and the way out.
func (p plan) text(t *v1alpha1.KoraTenant) string {
	var parts []string
	if len(p.agents) > 0 {
		shown := p.agents[:min(len(p.agents), 10)]
		more := ""
		if len(p.agents) > len(shown) {
			more = ", …"
		}
		parts = append(parts, fmt.Sprintf("%s (%s%s) with %s", plural(len(p.agents), "agent type"), strings.Join(shown, ", "), more, plural(p.replicas, "running replica")))
	}
	parts = append(parts, p.counts...)
	namespace := v1alpha1.TenantNamespace(t.Name)
	what := fmt.Sprintf("spec.deletionPolicy is Retain, so the namespace %s stays with all that is in it, and nobody signs in to it or starts a run any more", namespace)
	if t.Spec.DeletionPolicy == v1alpha1.DeletionDelete {
		what = fmt.Sprintf("spec.deletionPolicy is Delete, so the namespace %s goes with all that is in it, workspaces too, and nothing brings it back; Retain would keep it", namespace)
	}
	return fmt.Sprintf("KoraTenant %s is in use: %s. %s. If that is meant: kubectl annotate koratenant %s %s=%s, and delete it again",
		t.Name, strings.Join(parts, ", "), what, t.Name, v1alpha1.AnnotationConfirmDeletion, t.Name)
}

package certificates

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// policy keeps failurePolicy, on the leader alone (R54).
type policy struct {
	Settings
	client client.Client // reads configurations and endpoints from the cache
	direct client.Reader // reads who wrote failurePolicy, once
	tell   teller
	gauges *gauges

	want admissionv1.FailurePolicyType // empty at first
	gone time.Time                     // since when the Service has no endpoint; zero while it has

	narrow string // what was told of webhooks that are not called for everything
	proved bool   // and is not told of yet
	doubt  doubt
}

// step decides what failurePolicy should be and writes it where it is not.
func (p *policy) step(ctx context.Context) error {
	all, err := p.configurations(ctx, p.client)
	if err != nil {
		return err
	}
	if p.want == "" {
		if p.want, err = p.begin(ctx); err != nil {
			return err
		}
	}
	ready, err := p.endpoints(ctx)
	if err != nil {
		return err // what is not known is no reason to change anything
	}
	p.count(ready)
	var unproven error
	if p.want == admissionv1.Ignore && ready > 0 {
		unproven = p.prove(ctx, all)
	}
	p.look(all)
	return p.settle(unproven, p.write(ctx, all))
}

// settle tells how it ended: whether what was proved holds now, or why it does not.
func (p *policy) settle(unproven, unwritten error) error {
	err := errors.Join(unproven, unwritten)
	p.gauges.enforced(p.want == admissionv1.Fail && p.narrow == "" && unwritten == nil)
	switch {
	case err == nil && p.proved:
		p.proved = false
		p.tell.say("WebhooksEnforced", "%s", "a dry run was refused by the webhook: from now on nothing passes without it")
	case p.doubt.due(err, p.Clock.Now(), p.Absent):
		p.tell.warn("WebhooksUnproven", "failurePolicy is not as it should be for %s, and until it is Fail objects may be taken unchecked and pods of agents start without their sidecars: %s; where another policy or a quota refuses the SandboxImage %s of %s, exempt that from it",
			p.Absent, cut(err.Error()), canaryName, p.Namespace)
	}
	return err
}

// look tells when a webhook is not called for all that the chart says, and when it is
// again. The policy stays: what is called is refused still.
func (p *policy) look(all []configuration) {
	narrow := p.narrowed(all)
	switch {
	case narrow == p.narrow:
		return
	case narrow != "":
		p.tell.warn("WebhooksNarrowed", "the webhooks are not called for all that they must see, and what they do not see is taken unchecked: %s; run the chart's upgrade, which writes them anew", cut(narrow))
	default:
		p.tell.say("WebhooksWhole", "%s", "the webhooks are called for everything again")
	}
	p.narrow = narrow
}

// cut keeps an event within what the API server takes.
func cut(text string) string {
	if runes := []rune(text); len(runes) > 600 {
		return string(runes[:599]) + "…"
	}
	return text
}

// begin is Fail when an operator before this one has proved the webhooks and wrote
// that: a new leader opens no gap. Else it is Ignore.
func (p *policy) begin(ctx context.Context) (admissionv1.FailurePolicyType, error) {
	all, err := p.configurations(ctx, p.direct)
	if err != nil {
		return "", err
	}
	for _, c := range all {
		owned := false
		for _, m := range c.object.GetManagedFields() {
			owned = owned || m.Manager == string(policyOwner)
		}
		if !owned || p.differ(c, func(e entry) bool { return e.policy != admissionv1.Fail }) {
			return admissionv1.Ignore, nil
		}
	}
	return admissionv1.Fail, nil
}

// count lets the webhooks be passed by when nobody has answered for a while: a
// cluster whose operator is gone can still be repaired.
func (p *policy) count(ready int) {
	now := p.Clock.Now()
	if ready > 0 {
		p.gone = time.Time{}
		return
	}
	if p.gone.IsZero() || now.Before(p.gone) {
		p.gone = now
	}
	if p.want == admissionv1.Fail && now.Sub(p.gone) >= p.Absent {
		p.want = admissionv1.Ignore
		p.tell.warn("WebhooksIgnored", "the Service %s/%s has had no endpoint for %s: until it has one, objects are taken unchecked and pods of agents start without their sidecars; see why the operator's pods are not ready",
			p.Namespace, p.Service, p.Absent)
	}
}

// prove asks the API server, in a dry run, for what the webhook must refuse. Only
// its own answer, with this question's mark, proves that it is called and trusted.
// All entries are of one Service and one bundle, so one answer is proof for each.
func (p *policy) prove(ctx context.Context, all []configuration) error {
	if !p.alike(all) {
		return errors.New("the webhooks do not all have the caBundle yet")
	}
	canary, mark := Canary(p.Namespace)
	err := p.client.Create(ctx, canary, client.DryRunAll)
	switch {
	case err == nil:
		return errors.New("a dry run that the webhook must refuse was taken: the API server does not call it yet")
	case !strings.Contains(err.Error(), CanaryAnswer(mark)):
		return fmt.Errorf("a dry run was refused, and not by the webhook: %s", strings.ReplaceAll(err.Error(), mark, "…"))
	}
	p.want, p.proved = admissionv1.Fail, true
	return nil
}

// alike reports whether every entry of kora's has the same bundle, and one at all.
func (p *policy) alike(all []configuration) bool {
	var first []byte
	for _, c := range all {
		for _, e := range c.entries {
			if p.ours(e) && first == nil {
				first = e.config.CABundle
			}
		}
	}
	for _, c := range all {
		if p.differ(c, func(e entry) bool { return len(first) == 0 || !bytes.Equal(e.config.CABundle, first) }) {
			return false
		}
	}
	return len(first) > 0
}

// endpoints counts those of the Service that are ready.
func (p *policy) endpoints(ctx context.Context) (int, error) {
	var slices discoveryv1.EndpointSliceList
	if err := p.client.List(ctx, &slices, client.InNamespace(p.Namespace), client.MatchingLabels{discoveryv1.LabelServiceName: p.Service}); err != nil {
		return 0, fmt.Errorf("list the endpoints of %s: %w", p.Service, err)
	}
	ready := 0
	for _, slice := range slices.Items {
		for _, e := range slice.Endpoints {
			if e.Conditions.Ready == nil || *e.Conditions.Ready {
				ready += len(e.Addresses)
			}
		}
	}
	return ready, nil
}

func (p *policy) write(ctx context.Context, all []configuration) error {
	var found []error
	for _, c := range all {
		if !p.differ(c, func(e entry) bool { return e.policy != p.want }) {
			continue
		}
		if err := p.apply(ctx, p.client, c, policyOwner, map[string]any{"failurePolicy": string(p.want)}); err != nil {
			found = append(found, fmt.Errorf("write failurePolicy of the %s %s: %w", c.kind, p.Configuration, err))
			continue
		}
		p.gauges.wrote("failurePolicy")
	}
	return errors.Join(found...)
}

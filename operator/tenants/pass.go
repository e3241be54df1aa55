package tenants

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/status"
	"github.com/runkora/kora/operator/upkeep"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// pass is one look at one tenant. Each part judges for itself: what is wrong with
// one never keeps the others from being made (R50).
type pass struct {
	*Reconciler
	tenant    *v1alpha1.KoraTenant
	namespace *corev1.Namespace
	now       time.Time
	next      time.Duration             // until the next pass
	bound     bool                      // this pass has given the operator its rights, and RBAC needs a moment
	owned     map[string]*corev1.Secret // see secrets
	items     []v1alpha1.InventoryItem
	failed    error // of the API server: the pass is tried again soon
}

// part is one condition and who finds out about it.
type part struct {
	condition string
	judge     func(context.Context) status.Verdict
}

func (p *pass) run(ctx context.Context) {
	home := p.home(ctx)
	if home.True() {
		home = p.rights(ctx)
	}
	p.set(v1alpha1.ConditionNamespaceReady, home)
	for _, each := range p.parts() {
		verdict := status.Wait("waits for the namespace %s", v1alpha1.TenantNamespace(p.tenant.Name))
		if p.namespace != nil {
			verdict = each.judge(ctx)
		}
		p.set(each.condition, verdict)
	}
	p.tenant.Status.Inventory = inventory(p.items)
	p.sum(ctx)
}

func (p *pass) parts() []part {
	all := []part{{v1alpha1.ConditionCAReady, p.authority}, {v1alpha1.ConditionPolicyReady, p.policy}}
	for _, condition := range []string{v1alpha1.ConditionRegistriesReady, v1alpha1.ConditionImagesReady} {
		all = append(all, part{condition, func(ctx context.Context) status.Verdict { return p.check(ctx, condition) }})
	}
	return all
}

// check asks those who keep a part of the tenant.
func (p *pass) check(ctx context.Context, condition string) status.Verdict {
	for _, c := range p.checks {
		if c.Condition() != condition {
			continue
		}
		verdict, items, err := c.Judge(ctx, p.tenant)
		p.items = append(p.items, items...)
		if err != nil {
			return p.fail(err)
		}
		return verdict
	}
	return status.Good("nothing keeps the tenant waiting")
}

func (p *pass) set(condition string, v status.Verdict) {
	status.Set(p.tenant, condition, v, p.now)
}

// fail is the verdict of an API server that did not do what it was asked.
func (p *pass) fail(err error) status.Verdict {
	if p.bound && apierrors.IsForbidden(err) {
		p.soon(500 * time.Millisecond)
		return status.Wait("waits until the operator's rights in the namespace are in force")
	}
	p.failed = errors.Join(p.failed, err)
	if apierrors.IsConflict(err) {
		return status.Wait("somebody changed it at the same moment: it is tried again")
	}
	return status.Bad(v1alpha1.ReasonFailed, "%v: it is tried again", err)
}

func (p *pass) soon(after time.Duration) { p.next = min(p.next, after) }

// keep keeps objects and lists them. The verdict is that of the first that is not right.
func (p *pass) keep(ctx context.Context, things ...upkeep.Thing) status.Verdict {
	verdict := status.Good("")
	for _, thing := range things {
		kind := kindOf(thing.Want)
		if err := p.keeper().Keep(ctx, thing); err != nil {
			v := p.listed(kind, thing.Want.GetName(), p.fail(err))
			v.Message = fmt.Sprintf("%s %s: %s", kind, thing.Want.GetName(), v.Message)
			verdict = firstBad(verdict, v)
			continue
		}
		p.list(kind, thing.Want.GetName(), status.Good(""))
	}
	return verdict
}

// listed is list, and gives the verdict on.
func (p *pass) listed(kind, name string, v status.Verdict) status.Verdict {
	p.list(kind, name, v)
	return v
}

func (p *pass) keeper() upkeep.Keeper {
	return upkeep.Keeper{Client: p.client, Live: p.live, Events: p.events}
}

func (p *pass) list(kind, name string, v status.Verdict) {
	p.items = append(p.items, status.Item(kind, name, v))
}

// firstBad keeps the first that is False, else the first that is Unknown.
func firstBad(a, b status.Verdict) status.Verdict {
	if rank(b) > rank(a) {
		return b
	}
	return a
}

func rank(v status.Verdict) int {
	switch v.Status {
	case "True":
		return 0
	case "Unknown":
		return 1
	}
	return 2
}

// labels are what all objects of a tenant carry.
func (p *pass) labels() map[string]string {
	return map[string]string{v1alpha1.LabelTenant: p.tenant.Name, v1alpha1.LabelManagedBy: v1alpha1.Operator, v1alpha1.LabelPartOf: "kora"}
}

func kindOf(o client.Object) string {
	name := fmt.Sprintf("%T", o)
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			return name[i+1:]
		}
	}
	return name
}

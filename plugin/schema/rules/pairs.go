package rules

import (
	"fmt"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/schema"
)

// gateway: one's own is found by its namespace (R27).
func (j *judge) gateway() {
	create := j.all.Get("gateway", "create")
	if create == nil || create.Tag != "!!bool" || create.Any() != false {
		return
	}
	n := j.all.Get("gateway", "byo", "namespace")
	if n != nil && (n.Tag != "!!str" || n.Value != "") {
		return
	}
	f := create.Pos.Fault(faults.ValueMissing, "gateway.byo.namespace is required where gateway.create is false")
	f.Field = "gateway.byo.namespace"
	f.Fix = "set it to the namespace of your gateway, as values/gateway-byo.yaml explains"
	j.refuse(f)
}

// autoscaling: the most is no less than the least, of what was given or is by default.
func (j *judge) autoscaling(service string) {
	on, least, most := j.all.Get(service, "autoscaling", "enabled"), j.all.Get(service, "autoscaling", "minReplicas"), j.all.Get(service, "autoscaling", "maxReplicas")
	low, isLow := whole(least)
	high, isHigh := whole(most)
	if on == nil || on.Any() != true || !isLow || !isHigh || high >= low {
		return
	}
	at := most.Pos
	if j.tree.Get(service, "autoscaling", "maxReplicas") == nil {
		at = least.Pos // the most is the chart's own
	}
	f := at.Fault(faults.BoundsReverse, fmt.Sprintf("%d is below %s.autoscaling.minReplicas, which is %d", high, service, low))
	f.Field = service + ".autoscaling.maxReplicas"
	f.Found, f.Expected = fmt.Sprintf("the number %d", high), fmt.Sprintf("at least %d", low)
	f.Fix = fmt.Sprintf("set %s to %d or more", f.Field, low)
	j.refuse(f)
}

func whole(n *source.Node) (int64, bool) {
	if n == nil || n.Tag != "!!int" {
		return 0, false
	}
	i, ok := n.Any().(int64)
	return i, ok
}

func items(n *source.Node) []*source.Node {
	if n == nil || n.Kind != source.Sequence {
		return nil
	}
	return n.Items
}

// nothing refuses a key that is null where the chart cannot do without: to Helm it
// takes the chart's default away (R20).
func (j *judge) nothing() {
	for _, r := range j.tree.Removed() {
		if !given(r.Path) {
			continue
		}
		f := r.Node.Pos.Fault(faults.NothingGiven, "nothing is behind it")
		f.Field, f.Found, f.Fix = string(r.Path), "null", "remove the key to have its default, or write a value"
		if f.Field == "frontendHost" || f.Field == "global.trustDomain" {
			f = schema.Required(r.Node.Pos, r.Path, "example.com")
		}
		j.refuse(f)
	}
}

package rules

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// sized are the blocks that size a container, with kora's own limits below what
// was given (R20).
func sized() [][]string {
	out := [][]string{{"ingressGateway", "resources"}, {"config", "migrate", "resources"}, {"agents", "sandboxWarming", "resources"}}
	for _, service := range Services() {
		out = append(out, []string{service, "resources"})
	}
	return out
}

// resources tells what the API server would refuse of requests and limits, where
// somebody wrote them: together with all other faults, and not of the objects that
// are made of them.
func (j *judge) resources() {
	for _, steps := range sized() {
		given, all := j.tree.Get(steps...), j.all.Get(steps...)
		at := fields.Path("")
		for _, step := range steps {
			at = at.Child(step)
		}
		for _, list := range []string{"requests", "limits"} {
			for _, f := range entries(given.Get(list)) {
				j.amount(f, at.Child(list).Child(f.Key.Value))
			}
		}
		j.requests(given, all, at)
	}
}

// amount judges one resource by its name.
func (j *judge) amount(f source.Field, at fields.Path) {
	q, ok := quantity(f.Value)
	switch name := f.Key.Value; {
	case !resourceName(name):
		out := f.Key.Pos.Fault(faults.BadValue, fmt.Sprintf("%q is no resource of a container", name))
		out.Field, out.Found, out.Expected = string(at), name, "cpu, memory, ephemeral-storage, hugepages-<size>, or a name with a domain"
		out.Fix = "write " + out.Expected
		if near := fields.Nearest(name, []string{"cpu", "memory", "ephemeral-storage"}); near != "" {
			out.Fix = fmt.Sprintf("did you mean %q?", near)
		}
		j.refuse(out)
	case ok && pages(name) > 0 && q.Value()%pages(name) != 0:
		out := f.Value.Pos.Fault(faults.BadValue, "huge pages come as whole ones")
		out.Field, out.Found, out.Expected = string(at), f.Value.Value, "a multiple of "+strings.TrimPrefix(name, hugePages)
		out.Fix = "write " + out.Expected
		j.refuse(out)
	case ok && device(name) && q.MilliValue()%1000 != 0:
		out := f.Value.Pos.Fault(faults.BadValue, "of this resource there are whole ones only")
		out.Field, out.Found, out.Expected, out.Fix = string(at), f.Value.Value, "a whole number", "write a whole number"
		j.refuse(out)
	}
}

// requests compares them with the limits, of which each may be the chart's own. At
// least one of the two was given: there the fault stands.
func (j *judge) requests(given, all *source.Node, at fields.Path) {
	for _, f := range entries(all.Get("requests")) {
		name := f.Key.Value
		limit := all.Get("limits").Get(name)
		place := given.Get("requests").Get(name)
		if place == nil {
			place = given.Get("limits").Get(name)
		}
		asked, ok := quantity(f.Value)
		most, bounded := quantity(limit)
		if place == nil || !ok || limit != nil && !bounded {
			continue
		}
		out := place.Pos.Fault(faults.BadValue, "")
		out.Field, out.Found = string(at.Child("requests").Child(name)), f.Value.Value
		switch {
		case bounded && asked.Cmp(most) > 0:
			out.Message = "the request is above the limit"
			out.Expected = fmt.Sprintf("at most %s, which is %s", limit.Value, at.Child("limits").Child(name))
			out.Fix = "raise the limit too, or lower the request"
		case (device(name) || strings.HasPrefix(name, "hugepages-")) && (!bounded || asked.Cmp(most) != 0):
			out.Message = "of this resource the request is the limit"
			out.Expected = fmt.Sprintf("the same under %s", at.Child("limits"))
			out.Fix = "set it under limits alone"
		default:
			continue
		}
		j.refuse(out)
	}
}

func entries(n *source.Node) []source.Field {
	if n == nil || n.Kind != source.Mapping {
		return nil
	}
	return n.Fields
}

const hugePages = "hugepages-"

// pages is the size of the huge pages that a resource counts, in bytes; 0 where it
// counts none.
func pages(name string) int64 {
	text, is := strings.CutPrefix(name, hugePages)
	size, err := resource.ParseQuantity(text)
	if !is || err != nil || size.Sign() < 0 {
		return 0
	}
	return size.Value()
}

// resourceName: a domain's own name is qualified, and one that begins as a quota
// counts requests is none.
func resourceName(name string) bool {
	switch {
	case strings.HasPrefix(name, hugePages):
		return pages(name) > 0
	case strings.Contains(name, "/"):
		return len(validation.IsQualifiedName(name)) == 0 && !strings.HasPrefix(name, corev1.DefaultResourceRequestsPrefix)
	}
	return slices.Contains([]string{"cpu", "memory", "ephemeral-storage"}, name)
}

// device is true of what cannot be shared: it belongs to a domain other than
// Kubernetes' own.
func device(name string) bool {
	return strings.Contains(name, "/") && !strings.Contains(name, "kubernetes.io/")
}

func quantity(n *source.Node) (resource.Quantity, bool) {
	if n == nil || n.Kind != source.Scalar {
		return resource.Quantity{}, false
	}
	q, err := fields.ParseQuantity(n.Value)
	return q, err == nil
}

// scaled: the autoscaler divides by the cpu that is requested. A limit alone is a
// request too.
func (j *judge) scaled(service string) {
	on := j.all.Get(service, "autoscaling", "enabled")
	if on == nil || on.Any() != true {
		return
	}
	for _, list := range []string{"requests", "limits"} {
		n := j.all.Get(service, "resources", list, "cpu")
		if q, ok := quantity(n); ok && q.Sign() > 0 {
			return
		} else if n != nil && !ok {
			return // said already
		}
	}
	code, place := faults.ValueMissing, on.Pos
	for _, r := range j.tree.Removed() {
		if p := string(r.Path); p == service+".resources" || p == service+".resources.requests" || p == service+".resources.requests.cpu" {
			code, place = faults.NothingGiven, r.Node.Pos
		}
	}
	if n := j.tree.Get(service, "resources", "requests", "cpu"); n != nil {
		place = n.Pos
	}
	f := place.Fault(code, "the autoscaler counts by the cpu that is requested, and none is")
	f.Field = service + ".resources.requests.cpu"
	f.Expected = "a request of cpu such as 100m"
	f.Fix = fmt.Sprintf("request some, such as 100m, or turn %s.autoscaling off", service)
	j.refuse(f)
}

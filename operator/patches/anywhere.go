package patches

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/operator/agents"
)

// Nowhere returns the fault of a patch that matched nothing of one agent type as
// that of all agent types, false where the patch may match an object of another one.
// Found is of the set's Render, and objects are the ones it left. What it says is
// certain: names, ids and tenants are taken to be any, and all else is kora's own.
func (s *Set) Nowhere(found faults.Fault, objects []*Object) (faults.Fault, bool) {
	for _, p := range s.patches {
		if file := p.Node.Pos.File; found.Code != faults.MatchesNothing || file.Name != found.File || file.Key != found.Key {
			continue
		}
		for _, o := range objects {
			if p.target.somewhere(o) {
				return faults.Fault{}, false
			}
		}
		found.Message = fmt.Sprintf("the patch %s matches no object of any agent type", p.Key)
		found.Expected = "names such as " + strings.Join(names(objects, p.target), ", ") + ", and labels that kora gives"
		found.Fix = "mend the target's selectors, or remove the patch"
		return found, true
	}
	return faults.Fault{}, false
}

// shape is the name of an agent type's object of a kind: before the slug, and behind
// it.
func shape(kind string) (before, after string) {
	const any = "\x00"
	name := agents.ObjectName(any)
	switch kind {
	case "PersistentVolumeClaim":
		name = agents.ClaimName(any)
	case "Pod":
		name = agents.SandboxName(any, any) // each run's
	}
	before, rest, _ := strings.Cut(name, any)
	if i := strings.LastIndex(rest, any); i >= 0 {
		rest = rest[i+1:]
	}
	return before, rest
}

func names(objects []*Object, t *target) []string {
	var all []string
	for _, o := range objects {
		if _, is := t.fits[o.Kind]; is {
			before, after := shape(o.Kind)
			all = append(all, o.Kind+" "+before+"<slug>"+after)
		}
	}
	return all
}

// somewhere is matches for an object whose agent type and tenant may be any.
func (t *target) somewhere(o *Object) bool {
	if !t.fits[o.Kind] {
		return false
	}
	meta, _ := o.now["metadata"].(map[string]any)
	before, after := shape(o.Kind)
	return t.name.meets(before, after) && t.namespace.meets("", "") &&
		reachable(t.labels, set(meta["labels"])) && t.annotations.Matches(set(meta["annotations"]))
}

// reachable is true of a selector that may match these labels where those that tell
// agent types and tenants apart have other values.
func reachable(s labels.Selector, have labels.Set) bool {
	requirements, selectable := s.Requirements()
	if !selectable {
		return false
	}
	for _, r := range requirements {
		form, varies := varying[r.Key()]
		switch {
		case !varies && !r.Matches(have):
			return false
		case varies && r.Operator() == selection.DoesNotExist:
			return false
		case varies && (r.Operator() == selection.In || r.Operator() == selection.Equals || r.Operator() == selection.DoubleEquals):
			can := false
			for value := range r.Values() {
				can = can || form(value)
			}
			if !can {
				return false
			}
		}
	}
	return true
}

// labelInstance is agent-<slug>.
const labelInstance = "app.kubernetes.io/instance"

// varying are the labels whose values depend on the agent type or the tenant, and
// what such a value may be.
var varying = map[string]func(string) bool{
	agents.LabelAgentSlug: func(v string) bool { return agents.ValidateName(v) == nil },
	agents.LabelAgentType: func(v string) bool { return agents.ValidateTypeID(v) == nil },
	agents.LabelTenant:    func(v string) bool { return len(validation.IsDNS1123Label(v)) == 0 },
	labelInstance: func(v string) bool {
		slug, ok := strings.CutPrefix(v, agents.ObjectName(""))
		return ok && agents.ValidateName(slug) == nil
	},
}

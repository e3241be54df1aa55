package patches

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/operator/patches/guard"
)

// warn tells of patches that do nothing, and of fields that a later patch
// overwrote (R16). A patch that matches nothing here would match something
// elsewhere: what it may not do there is said here already.
func (r *run) warn() {
	for i, p := range r.set.patches {
		switch {
		case !r.matched[i]:
			r.found = append(r.found, r.unmatched(p))
			r.rehearse(i, p)
		case !r.changed[i] && !r.refused(p):
			f := p.at("patch").Fault(faults.ChangesNothing, fmt.Sprintf("the patch %s changes nothing", p.Key))
			f.Fix = "remove it, or mend what it sets"
			r.found = append(r.found, f)
		}
	}
	for _, o := range r.objects {
		r.overwritten(o)
	}
}

// refused reports whether the patch has a fault, which says more.
func (r *run) refused(p *patch) bool {
	if p.broken {
		return true
	}
	for _, f := range r.found {
		if f.File == p.Node.Pos.File.Name && f.Key == p.Node.Pos.File.Key && f.Severity == faults.Error {
			return true
		}
	}
	return false
}

func (r *run) unmatched(p *patch) faults.Fault {
	f := p.at("target").Fault(faults.MatchesNothing, fmt.Sprintf("the patch %s matches no object of agent type %s", p.Key, r.settings.Slug))
	var have []string
	for _, o := range r.objects {
		for _, k := range p.target.kinds {
			if o.Kind == k.Kind.Kind {
				have = append(have, fmt.Sprintf("%s (namespace %s, %s/agent-type: %s)", o.Title(), r.settings.Namespace, "runkora.io", r.settings.TypeID))
			}
		}
	}
	f.Expected = "to match " + strings.Join(have, " or ")
	f.Fix = "mend the target's selectors, or render the agent type they are for"
	return f
}

// rehearse puts an unmatched patch on the objects as kora built them. That it
// does not apply there proves nothing; what it would break, it would break.
func (r *run) rehearse(i int, p *patch) {
	for _, o := range r.objects {
		for _, k := range p.target.kinds {
			if o.Kind == k.Kind.Kind {
				r.trial(i, p, o)
			}
		}
	}
}

func (r *run) trial(i int, p *patch, o *Object) {
	now := toPlain(o.built)
	copied := &Object{Kind: o.Kind, Name: o.Name, Type: o.Type, kind: o.kind, built: o.built, now: now, reported: map[string]bool{}}
	for n := range p.edits {
		next, f := change(copied, now, i, p, &p.edits[n])
		if f != nil && f.Code == faults.ObjectDeleted {
			r.found = append(r.found, *f)
		}
		if next != nil {
			now = next
		}
	}
	typed, err := decode(now, o.kind)
	if err != nil {
		return
	}
	copied.Typed = typed
	for _, v := range guard.Check(copied.built, typed) {
		r.found = append(r.found, copied.refuse(i, v))
	}
}

func (r *run) overwritten(o *Object) {
	last := map[string]int{}
	for i := range o.Writes {
		w := &o.Writes[i]
		if before, ok := last[string(w.Path)]; ok && o.Writes[before].patch != w.patch && !keeps(o.Writes[before].To, w.To) {
			r.found = append(r.found, o.overwrite(&o.Writes[before], w))
		}
		last[string(w.Path)] = i
	}
}

// keeps is true of a list that only grew: what the first patch put there is
// there still.
func keeps(first, second any) bool {
	before, okA := first.([]any)
	after, okB := second.([]any)
	if !okA || !okB {
		return false
	}
	for _, item := range before {
		if !slices.ContainsFunc(after, func(v any) bool { return reflect.DeepEqual(v, item) }) {
			return false
		}
	}
	return true
}

func (o *Object) overwrite(first, second *Write) faults.Fault {
	does := "overwrites"
	if second.To == fields.Absent {
		does = "removes"
	}
	f := first.At.Fault(faults.Overwritten, fmt.Sprintf("the patch %s %s what %s sets here", second.Patch, does, first.Patch))
	f.Object, f.Field = o.Title(), string(first.Path)
	f.Found, f.Expected = fmt.Sprintf("%s, then %s", Text(first.To), Text(second.To)), "one patch that sets the field"
	f.Fix = fmt.Sprintf("take it out of %s, or out of %s", first.Patch, second.Patch)
	return f
}

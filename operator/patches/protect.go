package patches

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/operator/patches/guard"
)

// protect decodes what the patches left and lets the guard judge it (R14).
// The last state tells all, as long as no patch wrote where another did: what
// is to be undone must be written twice. Otherwise, and to find the patch to
// blame, every state is judged in order.
func (r *run) protect(o *Object) {
	if len(o.history) == 0 {
		return
	}
	typed, err := decode(o.now, o.kind)
	if err == nil {
		o.Typed = typed
		if len(guard.Check(o.built, typed)) == 0 && !overlapping(o.Writes) {
			return
		}
	}
	for _, s := range o.history {
		typed, err := decode(s.now, o.kind)
		if err != nil {
			r.found = append(r.found, o.undecodable(r.set.patches[s.patch], err))
			return
		}
		r.guard(s.patch, o, typed)
	}
}

// overlapping reports whether one field was written twice, or one field and
// another in it.
func overlapping(writes []Write) bool {
	seen := make(map[fields.Path]bool, len(writes))
	for _, w := range writes {
		if seen[w.Path] {
			return true
		}
		seen[w.Path] = true
	}
	for path := range seen {
		for i, c := range path {
			if (c == '.' || c == '[') && seen[path[:i]] {
				return true
			}
		}
	}
	return false
}

func (o *Object) undecodable(p *patch, err error) faults.Fault {
	f := p.Node.Pos.Fault(faults.WrongType, fmt.Sprintf("what the patch leaves is no %s: %v", o.Kind, err))
	f.Object = o.Title()
	return f
}

// guard tells what the object may not have become, once each: a later patch
// is not to blame for what an earlier one did.
func (r *run) guard(i int, o *Object, typed runtime.Object) {
	for _, v := range guard.Check(o.built, typed) {
		if id := string(v.Code) + string(v.Path) + v.Found; !o.reported[id] {
			o.reported[id] = true
			r.found = append(r.found, o.refuse(i, v))
		}
	}
}

// refuse points a violation at what patch i wrote there.
func (o *Object) refuse(i int, v guard.Violation) faults.Fault {
	f := o.blame(i, v.Path).Fault(v.Code, v.Message)
	f.Object, f.Field = o.Title(), string(v.Path)
	f.Found, f.Expected, f.Fix = v.Found, v.Expected, v.Fix
	return f
}

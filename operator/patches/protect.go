package patches

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/operator/patches/guard"
)

// protect decodes what the patches left and lets the guard judge it (R14). The
// last state tells of every field that was not written again: what is to be
// undone must be written twice. So the states before such a second write are
// judged too, and no others.
func (r *run) protect(o *Object) {
	if len(o.history) == 0 {
		return
	}
	for _, i := range o.undone() {
		if typed, err := o.state(i); err == nil {
			r.guard(o.history[i].patch, o, typed)
		}
	}
	last := len(o.history) - 1
	typed, err := o.state(last)
	if err != nil {
		r.found = append(r.found, o.undecodable(r.set, err))
	}
	for ; err != nil && last > 0; last-- { // what came before is judged all the same (R15)
		typed, err = o.state(last - 1)
	}
	if err == nil {
		o.Typed = typed
		r.guard(anyPatch, o, typed)
	}
}

// state is the object after one patch in its Kubernetes type.
func (o *Object) state(i int) (runtime.Object, error) { return decode(o.history[i].now, o.kind) }

// undone returns the states that the next patch wrote over: a field that was
// written before, one in it, or one that holds it.
func (o *Object) undone() []int {
	var out []int
	written := map[fields.Path]bool{} // and each path above one, as false
	for i, w := 0, 0; i < len(o.history); i++ {
		from := w
		for w < len(o.Writes) && o.Writes[w].patch == o.history[i].patch {
			w++
		}
		if i > 0 && slices.ContainsFunc(o.Writes[from:w], func(n Write) bool { return over(written, n.Path) }) {
			out = append(out, i-1)
		}
		for _, n := range o.Writes[from:w] {
			note(written, n.Path)
		}
	}
	return out
}

func over(written map[fields.Path]bool, at fields.Path) bool {
	if _, known := written[at]; known {
		return true
	}
	for i, c := range at {
		if (c == '.' || c == '[') && written[at[:i]] {
			return true
		}
	}
	return false
}

func note(written map[fields.Path]bool, at fields.Path) {
	for i, c := range at {
		if _, known := written[at[:i]]; !known && (c == '.' || c == '[') {
			written[at[:i]] = false
		}
	}
	written[at] = true
}

// undecodable names the first patch after which the object was none of its kind.
func (o *Object) undecodable(s *Set, err error) faults.Fault {
	first := len(o.history) - 1
	for i := range o.history {
		if _, e := o.state(i); e != nil {
			first, err = i, e
			break
		}
	}
	f := s.patches[o.history[first].patch].Node.Pos.Fault(faults.WrongType, fmt.Sprintf("what the patch leaves is no %s: %v", o.Kind, err))
	f.Object = o.Title()
	return f
}

// guard tells what the object may not have become, once each: a later patch
// is not to blame for what an earlier one did.
func (r *run) guard(upTo int, o *Object, typed runtime.Object) {
	for _, v := range guard.Check(o.built, typed) {
		if id := string(v.Code) + string(v.Path) + v.Found; !o.reported[id] {
			o.reported[id] = true
			r.found = append(r.found, o.refuse(upTo, v))
		}
	}
}

// refuse points a violation at what the patches, up to one, wrote there.
func (o *Object) refuse(upTo int, v guard.Violation) faults.Fault {
	f := o.blame(upTo, v.Path).Fault(v.Code, v.Message)
	f.Object, f.Field = o.Title(), string(v.Path)
	f.Found, f.Expected, f.Fix = v.Found, v.Expected, v.Fix
	return f
}

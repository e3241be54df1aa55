package patches

import (
	"errors"
	"reflect"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/operator/patches/guard"
	"github.com/runkora/kora/operator/patches/kustomize"
)

// apply puts the edits of one patch on one object. One that fails is told and
// left out, and the others are judged all the same (R15).
func (r *run) apply(i int, p *patch, o *Object) {
	now, writes := o.now, len(o.Writes)
	for n := range p.edits {
		next, f := change(o, now, i, p, &p.edits[n])
		if f != nil {
			r.found = append(r.found, *f)
			if f.Code == faults.PatchLimit {
				o.Writes = o.Writes[:writes]
				return // no more of this patch
			}
		}
		if next != nil {
			now = next
		}
	}
	if reflect.DeepEqual(now, o.now) {
		o.Writes = o.Writes[:writes] // what it did it took back
		return
	}
	r.changed[i] = true
	o.now = now
	o.history = append(o.history, state{i, now})
}

// change runs one edit and notes what it wrote. A fault without an object is
// of an edit that was left out.
func change(o *Object, now map[string]any, i int, p *patch, e *edit) (map[string]any, *faults.Fault) {
	if f := o.overcopied(now, e); f != nil {
		return nil, f
	}
	next, err := e.apply.Apply(now, o.Type)
	if err != nil {
		return nil, o.failed(now, e, err)
	}
	if next == nil {
		pos := e.node.Pos
		if d := e.node.Field("$patch"); d != nil {
			pos = d.Key.Pos
		}
		f := pos.Fault(faults.ObjectDeleted, "a patch may not delete an object of kora")
		f.Object, f.Fix = o.Title(), "remove the patch"
		return nil, &f
	}
	var told *faults.Fault
	if e.merge {
		if l := lost(e.node, now, next, o.Type); l != nil && l.message == vanished {
			return nil, l.fault(o) // what is gone would only be told again by others
		} else if l != nil {
			told = l.fault(o)
		}
	}
	changes := fields.Diff(now, next, o.Type)
	if len(changes) == 0 && e.merge {
		return now, told // a merge reorders lists even where it sets nothing
	}
	for _, c := range changes {
		o.Writes = append(o.Writes, Write{Patch: p.Key, At: e.locate(c.Path), Path: c.Path, From: c.From, To: c.To, patch: i, edit: e})
	}
	return next, told
}

func (o *Object) failed(now map[string]any, e *edit, err error) *faults.Fault {
	code, message, fix := faults.CannotApply, "kustomize cannot apply it: "+err.Error(), ""
	name := "path"
	switch {
	case errors.Is(err, kustomize.ErrMissing):
		code, message = faults.ReplaceMissing, "replace of a path that the object does not have"
		fix = "use add, or mend the path"
	case errors.Is(err, kustomize.ErrNoSource):
		message, name = "the object has nothing to move or copy there", "from"
	}
	pos := e.node.Pos
	if p := e.node.Get(name); p != nil && !e.merge {
		pos = p.Pos
	}
	if v := o.forbidden(now, e); v != nil && code == faults.ReplaceMissing {
		f := pos.Fault(v.Code, v.Message)
		f.Object, f.Field, f.Found, f.Expected, f.Fix = o.Title(), string(v.Path), v.Found, v.Expected, v.Fix
		return &f
	}
	f := pos.Fault(code, message)
	f.Object, f.Fix = o.Title(), fix
	if !e.merge {
		f.Field = textOf(e.node, name)
	}
	return &f
}

// forbidden is what the guard says of a replace if it were the add that it should
// be: nobody is to mend an operation that is refused all the same.
func (o *Object) forbidden(now map[string]any, e *edit) *guard.Violation {
	value := e.node.Get("value")
	if e.merge || value == nil {
		return nil
	}
	plain, at := value.Any(), dotted(textOf(e.node, "path"))
	add, err := kustomize.NewOp("add", textOf(e.node, "path"), "", &plain)
	if err != nil {
		return nil
	}
	next, err := add.Apply(now, o.Type)
	if err != nil {
		return nil
	}
	typed, err := decode(next, o.kind)
	if err != nil {
		return nil
	}
	for _, v := range guard.Check(o.built, typed) {
		if v.Path.Within(at) || at.Within(v.Path) {
			return &v
		}
	}
	return nil
}

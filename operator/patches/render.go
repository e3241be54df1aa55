package patches

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/operator/agents"
)

// Result is what an agent type becomes.
type Result struct {
	// Objects stand in the order in which a cluster should get them. The
	// sandbox Pod is the last one, and always there: its patches are checked
	// whether it is printed or not.
	Objects []*Object
}

// run is one agent type on its way through the patches.
type run struct {
	set      *Set
	settings agents.Settings
	built    agents.Objects
	objects  []*Object
	matched  []bool // by patch: it matched an object
	changed  []bool // by patch: it changed one
	found    faults.List
}

// Render builds the objects of an agent type, lets every patch change those it
// targets, and judges what comes out (R4, R7, R9, R13, R14, R16). The claim is
// patched first: it decides what the StatefulSet's template holds, and
// whether sandboxes are pinned.
func (s *Set) Render(settings agents.Settings) (*Result, faults.List) {
	r := &run{set: s, settings: settings, matched: make([]bool, len(s.patches)), changed: make([]bool, len(s.patches))}
	claim := r.object(agents.Build(settings).Claim)
	if claim == nil {
		return nil, r.found
	}
	r.patch(claim)
	r.settings.Workspace.Claim = claim.Typed.(*corev1.PersistentVolumeClaim)
	r.built = agents.Build(r.settings)
	for _, o := range r.built.All() {
		if o.GetObjectKind().GroupVersionKind().Kind == claim.Kind {
			r.objects = append(r.objects, claim)
			continue
		}
		if object := r.object(o); object != nil {
			r.patch(object)
		}
	}
	r.judge()
	r.warn()
	return &Result{Objects: r.objects}, r.found
}

// object takes an object in; the claim's place in the list is found later.
func (r *run) object(o agents.Object) *Object {
	name := o.GetObjectKind().GroupVersionKind().Kind
	for _, k := range r.set.kinds {
		if k.Kind.Kind != name {
			continue
		}
		out := newObject(o, k)
		if name != "PersistentVolumeClaim" {
			r.objects = append(r.objects, out)
		}
		return out
	}
	return nil
}

// patch lets each patch that matches change the object, in order, and keeps
// the result in the form it will be printed in.
func (r *run) patch(o *Object) {
	for i, p := range r.set.patches {
		if p.target.matches(o.now, o.kind) {
			r.matched[i] = true
			r.apply(i, p, o)
		}
	}
	r.protect(o)
	o.Plain = toPlain(o.Typed)
}

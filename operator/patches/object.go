package patches

import (
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	sigsjson "sigs.k8s.io/json"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/agents"
)

// Object is one object of an agent type as the patches left it.
type Object struct {
	Kind, Name string
	Type       *fields.Type
	// Typed is the object in its Kubernetes type; Plain is the same as maps
	// and lists, without what would not be written.
	Typed runtime.Object
	Plain map[string]any
	// Writes are the fields that patches wrote, in the order they did.
	Writes []Write

	kind     kind
	built    runtime.Object // as kora built it
	now      map[string]any
	copied   int             // bytes that copies added
	reported map[string]bool // violations told already, by code and path
	history  []state
	index    map[fields.Path]int // the last write of each field, see exactly
	indexed  int                 // the writes that the index knows
}

// Write is one field that a patch set, removed or changed.
type Write struct {
	Patch    string // the patch's key
	At       source.Pos
	Path     fields.Path
	From, To any // fields.Absent where there was, or is, none

	patch int
	edit  *edit
}

// state is the object after one patch, for the search of the one to blame.
// States share what did not change between them.
type state struct {
	patch int
	now   map[string]any
}

func newObject(o agents.Object, k kind) *Object {
	return &Object{
		Kind: k.Kind.Kind, Name: o.GetName(), Type: k.Type, Typed: o,
		kind: k, built: o, now: toPlain(o), reported: map[string]bool{},
	}
}

// Title is how faults name the object.
func (o *Object) Title() string { return o.Kind + " " + o.Name }

// toPlain drops the status: it is the cluster's, and an empty one would print.
func toPlain(o runtime.Object) map[string]any {
	plain := fields.Plain(o)
	delete(plain, "status")
	return plain
}

// decode turns plain values into their Kubernetes type, strictly: no field
// that the type does not have, no value that it cannot hold.
func decode(plain map[string]any, k kind) (runtime.Object, error) {
	if at, bad := fields.BadQuantity(plain, k.Type, ""); bad {
		return nil, fmt.Errorf("%s is not a quantity", at)
	}
	b, err := json.Marshal(plain)
	if err != nil {
		return nil, err
	}
	out := k.empty()
	strict, err := sigsjson.UnmarshalStrict(b, out)
	return out, errors.Join(append(strict, err)...)
}

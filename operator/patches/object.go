package patches

import (
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

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

func newObject(o agents.Object, k kind) (*Object, error) {
	plain, err := toPlain(o)
	if err != nil {
		return nil, err
	}
	return &Object{
		Kind: k.Kind.Kind, Name: o.GetName(), Type: k.Type, Typed: o,
		kind: k, built: o, now: plain, reported: map[string]bool{},
	}, nil
}

// Title is how faults name the object.
func (o *Object) Title() string { return o.Kind + " " + o.Name }

// toPlain drops the status: it is the cluster's, and an empty one would print.
func toPlain(o runtime.Object) (map[string]any, error) {
	plain, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		return nil, fmt.Errorf("build a %T: %w", o, err)
	}
	delete(plain, "status")
	return plain, nil
}

// decode turns plain values into their Kubernetes type, strictly: no field
// that the type does not have, no value that it cannot hold.
func decode(plain map[string]any, k kind) (runtime.Object, error) {
	out := k.empty()
	err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(plain, out, true)
	if err == nil {
		return out, nil
	}
	var strict interface{ Errors() []error }
	if errors.As(err, &strict) {
		return nil, err
	}
	// The converter names no field; the JSON decoder does.
	b, _ := json.Marshal(plain)
	if named := json.Unmarshal(b, k.empty()); named != nil {
		return nil, named
	}
	return nil, err
}

package environment

import (
	"encoding/json"
	"maps"
	"strconv"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// Limits bound an environment file.
var Limits = source.Limits{Bytes: 256 << 10, Nodes: 20_000, Depth: 30, Aliases: 100}

// Read checks an environment file to the line and gives what it says, with the
// default of everything that it leaves out (R38). All faults come at once, and
// then there is no environment.
func Read(f *source.File) (*Environment, faults.List) {
	placed, found := ReadPlaced(f)
	return placed.Environment, found
}

// ReadPlaced is Read, with the place of each fact.
func ReadPlaced(f *source.File) (Placed, faults.List) {
	root, found := checked(f)
	if found.Refused() {
		return Placed{}, found
	}
	return Placed{decode(root), f.Name, root}, found
}

// checked is the map that a file holds, which has no fault.
func checked(f *source.File) (*source.Node, faults.List) {
	docs, found := source.Parse(f, Limits)
	if found.Refused() {
		return nil, found
	}
	if len(docs) != 1 {
		fault := f.At(1, 1).Fault(faults.EnvironmentShape, "an environment is one YAML document")
		fault.Found, fault.Expected = strconv.Itoa(len(docs))+" documents", "one map of facts"
		return nil, append(found, fault)
	}
	found = append(found, fields.Check(docs[0], fields.Of(Environment{}), "")...)
	found = append(found, check(docs[0], specs(), "")...)
	found = append(found, dates(docs[0], "")...)
	found = append(found, shared(docs[0])...)
	if found.Refused() {
		return nil, found
	}
	return docs[0], found
}

// Default is an environment that leaves out all that can be left out.
func Default() *Environment { return decode(nil) }

func decode(n *source.Node) *Environment {
	e := &Environment{}
	fill(e, values(specs()))
	if n != nil {
		fill(e, n.Any())
	}
	return e
}

// fill sets what a plain tree says. Everything in it fits: it was checked.
func fill(e *Environment, tree any) {
	text, err := json.Marshal(tree)
	if err == nil {
		err = json.Unmarshal(text, e)
	}
	if err != nil {
		panic("environment: a checked tree does not fit its type: " + err.Error())
	}
}

// Map gives the environment as templates read it: every key there is, lists and
// maps that are empty included.
func (e *Environment) Map() map[string]any {
	text, err := json.Marshal(e)
	if err != nil {
		panic("environment: " + err.Error())
	}
	out := map[string]any{}
	if err := json.Unmarshal(text, &out); err != nil {
		panic("environment: " + err.Error())
	}
	return out
}

// Values are the defaults as Helmfile reads them below the person's own file.
func Values() map[string]any { return maps.Clone(values(specs())) }

func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

package overrides

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// Prefix is how the name of each override begins.
const Prefix = "KORA_MANIFEST__"

// Variable is one override.
type Variable struct {
	Name, Value string
	// Pos is where its name stands, nowhere in the environment.
	Pos source.Pos
	// Unreadable says why there is no plain value, empty where there is one.
	Unreadable string
}

// FromEnviron returns the overrides of an environment, "NAME=value" each.
func FromEnviron(environ []string) []Variable {
	var out []Variable
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		if strings.HasPrefix(name, Prefix) {
			out = append(out, Variable{Name: name, Value: value})
		}
	}
	return out
}

// sorted returns one variable of each name, in the order of the names: of
// several the last one counts, which is said where they differ.
func sorted(vars []Variable) ([]Variable, faults.List) {
	all := slices.Clone(vars)
	slices.SortStableFunc(all, func(a, b Variable) int { return cmp.Compare(a.Name, b.Name) })
	var out []Variable
	var found faults.List
	for _, v := range all {
		if n := len(out); n > 0 && out[n-1].Name == v.Name {
			if out[n-1].Value != v.Value || out[n-1].Unreadable != v.Unreadable {
				found = append(found, twice(out[n-1], v))
			}
			out[n-1] = v
			continue
		}
		out = append(out, v)
	}
	return out, found
}

func twice(first, last Variable) faults.Fault {
	f := at(first, faults.Overwritten, fmt.Sprintf("%s is given again with another value, and the last one counts", Shown(first.Name)))
	if last.Pos.File != nil {
		f.Expected = fmt.Sprintf("one value; the last one stands at %s:%d", last.Pos.File.Name, last.Pos.Line)
	}
	f.Fix = "keep one of the two"
	return f
}

// at is a fault at the variable's place. The line itself may hold the value,
// which may be a secret, so no fault shows it.
func at(v Variable, code faults.Code, message string) faults.Fault {
	f := v.Pos.Fault(code, message)
	f.Source = ""
	if v.Pos.File == nil {
		f.File = "environment"
	}
	return f
}

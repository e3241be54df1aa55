package overrides

import (
	"fmt"
	"slices"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
)

// refusal says why a variable cannot be translated. No part of it ever comes
// from the variable's value.
type refusal struct {
	why, expected, fix string
}

func refuse(format string, args ...any) *refusal { return &refusal{why: fmt.Sprintf(format, args...)} }

func (r *refusal) expecting(text string) *refusal {
	r.expected = text
	return r
}

func (r *refusal) fixed(format string, args ...any) *refusal {
	r.fix = fmt.Sprintf(format, args...)
	return r
}

// byHand is the way out that is always there (A: "Migrate from environment
// variable overrides").
const byHand = "write the patch by hand under agents.manifestPatches, then remove the variable"

func (r *refusal) fault(v Variable, kind string, field fields.Path) faults.Fault {
	f := at(v, faults.EnvUntranslated, fmt.Sprintf("%s cannot be translated: %s", Shown(v.Name), r.why))
	f.Object, f.Field, f.Expected, f.Fix = kind, shown(string(field)), r.expected, r.fix
	if f.Fix == "" {
		f.Fix = byHand
	}
	return f
}

// told are the rules whose messages are kora's own words throughout; those of
// the others may quote what a patch sets.
var told = []faults.Code{
	faults.Protected, faults.PodSecurity, faults.AddedContainer, faults.ObjectDeleted, faults.ForbiddenVolume,
	faults.ClaimTemplates, faults.SplitByPatch, faults.SplitPlacement, faults.UnpinnedSandbox, faults.BadAccess,
}

// because turns what kora found in a patch into the reason for leaving the
// variable alone. What was found in the patch is the value, so it is not told.
func because(f faults.Fault) *refusal {
	if f.Code == faults.Protected {
		return refuse("%s", f.Message).fixed("remove the variable: the field stays with the platform")
	}
	if slices.Contains(told, f.Code) {
		return refuse("%s", f.Message).fixed("%s", f.Fix)
	}
	if row, ok := faults.Lookup(f.Code); ok {
		return refuse("%s", row.Title)
	}
	return refuse("kora does not take the patch")
}

package main

import (
	"slices"
	"strings"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/values"
)

// readFacts reads an environment. A line of one that is no YAML is shown as one of
// values is: not where it may belong to a key above that smells of a secret (R17, R38).
func readFacts(file *source.File) (environment.Placed, faults.List) {
	env, found := environment.ReadPlaced(file)
	if !slices.ContainsFunc(found, unparsed) {
		return env, found
	}
	_, looked := values.Read(file)
	for i, f := range found {
		if !unparsed(f) {
			continue
		}
		same := func(l faults.Fault) bool { return l.Code == f.Code && l.Line == f.Line && l.Column == f.Column }
		if at := slices.IndexFunc(looked, same); at >= 0 {
			found[i] = looked[at]
			continue
		}
		found[i].Source, found[i].SourceFrom = "", 0 // of a limit that values do not have
		unrepeated(&found[i])
	}
	return env, found
}

func unparsed(f faults.Fault) bool { return strings.HasPrefix(string(f.Code), "KORA-Y") }

package values

import (
	"fmt"
	"maps"
	"slices"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

const manifestPatches = "agents.manifestPatches"

// A key of agents.manifestPatches that is null takes a patch out that earlier
// values set, as Helm has it. One that takes nothing out is most often a patch
// that was left empty or a misspelt key, and without a word nobody would know:
// it is a warning, because a file may well be meant for several installs (R16).

// nullPatches warns of those in a values file.
func (l *loader) nullPatches(n *source.Node) {
	over := value{node: n}.child("agents", "manifestPatches")
	for _, f := range over.entries() {
		if f.Value.Null() && l.patch(f.Key.Value).node == nil {
			l.refuse(removesNothing(f.Key.Pos, f.Key.Value))
		}
	}
}

// nothingRemoved warns of those that a flag sets to null.
func (l *loader) nothingRemoved(f Flag, touched map[string]any) {
	block, _ := touched["agents"].(map[string]any)
	patches, _ := block["manifestPatches"].(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(patches)) {
		if patches[key] == nil && l.patch(key).node == nil {
			l.refuse(removesNothing(source.Pos{File: source.NewFile(f.String(), "")}, key))
		}
	}
}

func (l *loader) patch(key string) value {
	return value{node: l.root}.child("agents", "manifestPatches", key)
}

func removesNothing(at source.Pos, key string) faults.Fault {
	f := at.Fault(faults.ChangesNothing, fmt.Sprintf("the patch %q is null, which removes one that earlier values set, and none did", key))
	f.Field, f.Found = manifestPatches+"."+key, "null"
	f.Fix = "write the patch, correct the key, or remove the line"
	return f
}

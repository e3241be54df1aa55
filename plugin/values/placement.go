package values

import (
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// Placement returns the place and the path of the setting that decides where the
// two pods of an agent type go, for the fault of a split placement (R9): the
// sandbox's own node selector or required node affinity, else the
// session-manager's, else common's, else the workspace's access modes. The place
// is that of the key, or of the flag that set it. With none of them set there is
// no place, and the path is that of the access modes.
func (t *Tree) Placement() (source.Pos, fields.Path) {
	for _, block := range []string{"sandbox", "sessionManager", "common"} {
		v := t.value("agents", "workloads", block)
		if at, path, ok := v.decides("nodeSelector"); ok {
			return at, path
		}
		if at, path, ok := v.child("affinity", "nodeAffinity").decides(required); ok {
			return at, path
		}
	}
	at, path, _ := t.value("agents", "workspace").decides("accessModes")
	return at, path
}

// decides is the place of a key whose value is not empty.
func (v value) decides(key string) (source.Pos, fields.Path, bool) {
	f, path := v.node.Field(key), v.path.Child(key)
	if f == nil || len(f.Value.Fields)+len(f.Value.Items) == 0 {
		return source.Pos{}, path, false
	}
	if f.Value.Pos.File != f.Key.Pos.File {
		return f.Value.Pos, path, true // a flag gave a key of a file another value
	}
	return f.Key.Pos, path, true
}

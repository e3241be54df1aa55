package cmp

import (
	"io/fs"
	"path"
	"slices"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/operator/patches"
	"github.com/runkora/kora/plugin/values"
)

// unread refuses what lies in the folder of patches and is none: Argo CD shows
// nothing of a call that succeeds, so nobody would see that it was passed over.
func (g *generation) unread() {
	list, err := fs.ReadDir(g.call.Root.FS(), PatchesDir)
	if err != nil || len(list) > 2*patches.MaxEntries {
		return // told when the patches are read
	}
	for _, e := range list {
		name := e.Name()
		ext := path.Ext(name)
		patch := name[0] != '.' && (ext == ".yaml" || ext == ".yml") && !e.IsDir()
		if patch || slices.Contains([]string{".gitkeep", ".gitignore", ".gitattributes"}, name) {
			continue
		}
		f := fault(faults.PluginUnread, PatchesDir+"/"+name, "this is in the folder of patches, and would not be read")
		f.Found, f.Expected = kindOf(e.Type()), "files that end in .yaml or .yml, one for each patch"
		g.add(f)
	}
}

// theme refuses a theme of the values beside theme.yaml.
func (g *generation) theme(in values.Input) {
	in.Flags = nil
	tree, _ := values.Load(in)
	n := tree.Get("theme", "document")
	if n.Null() || n.Value == "" && len(n.Fields) == 0 && len(n.Items) == 0 {
		return
	}
	f := n.Pos.Fault(faults.PluginClash, "the values have a theme, and "+ThemeFile+" is there as well")
	f.Field, f.Fix = "theme.document", "keep the theme in "+ThemeFile+", or in the values, and remove the other"
	g.add(f)
}

package patches

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// passedBy warns of what looks like a patch and is not read: an ending in
// another case, JSON, or a folder of patches. Each would be missing without a
// word (R12, R16).
func (l *loader) passedBy(e fs.DirEntry) {
	name := e.Name()
	ending := filepath.Ext(name)
	switch {
	case e.IsDir():
		if inside := l.patchIn(name); inside != "" {
			l.warn(name, "a folder of the directory is not read, and a patch lies in it", inside, "move the patches of the folder up into the directory itself")
		}
	case strings.EqualFold(ending, ".yaml"), strings.EqualFold(ending, ".yml"), strings.EqualFold(ending, ".json"):
		l.warn(name, "the file is not read: its name does not end as a patch's does", ending, fmt.Sprintf("rename it to %s.yaml, if it is a patch", key(name)))
	}
}

func (l *loader) warn(name, message, found, fix string) {
	f := faults.New(faults.ChangesNothing, message)
	f.File, f.Found, f.Fix = filepath.Join(l.dir, name), found, fix
	f.Expected = "KEY.yaml or KEY.yml in the directory itself"
	l.found = append(l.found, f)
}

// patchIn is the first name in a folder that looks like a patch's. What cannot
// be listed is none of ours, and of a huge folder a part is enough.
func (l *loader) patchIn(folder string) string {
	const most = 1000
	dir, err := l.root.Open(folder)
	if err != nil {
		return ""
	}
	defer dir.Close()
	list, _ := dir.ReadDir(most)
	for _, e := range list {
		ending := strings.ToLower(filepath.Ext(e.Name()))
		if e.Name()[0] != '.' && (ending == ".yaml" || ending == ".yml" || ending == ".json") {
			return e.Name()
		}
	}
	return ""
}

package release

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// The names of a release's evidence, and of its list of images.
const (
	bundleSuffix = ".sigstore.json"
	linesSuffix  = ".intoto.jsonl"
	ImagesFile   = "images.txt"
)

// maxFiles bounds a directory of downloads.
const maxFiles = 2000

// Directory returns the items of a directory that holds the files of a
// release and nothing else: each has a bundle beside it, and stands in the
// provenance (R46, R47). A file that the release has and the directory does
// not is an item too, so that less was not verified than it seems. Charts and
// images.txt come first.
func Directory(dir, version string) ([]Item, faults.List) {
	names, err := list(dir)
	if err != nil {
		f := faults.New(faults.FileMissing, "the directory of downloads cannot be read: "+cause(err).Error())
		f.File, f.Fix = dir, "download the release into a directory of its own: gh release download v"+version+" --repo runkora/kora --dir DIR"
		return nil, faults.List{f}
	}
	provenance := filepath.Join(dir, "kora-"+version+linesSuffix)
	var items []Item
	has := map[string]bool{}
	add := func(name, missing string) {
		if has[name] {
			return
		}
		has[name] = true
		path := filepath.Join(dir, name)
		items = append(items,
			Item{What: File, Ref: path, Bundle: path + bundleSuffix, Missing: missing},
			Item{What: Provenance, Ref: path, Bundle: provenance, Missing: missing})
	}
	for _, name := range []string{"kora-" + version + ".tgz", "kora-crds-" + version + ".tgz", ImagesFile} {
		if !slices.Contains(names, name) {
			add(name, "the release has this file, and the directory does not")
		}
	}
	for _, name := range names {
		switch {
		case strings.HasSuffix(name, linesSuffix):
		case !strings.HasSuffix(name, bundleSuffix):
			add(name, "")
		case !slices.Contains(names, strings.TrimSuffix(name, bundleSuffix)):
			add(strings.TrimSuffix(name, bundleSuffix), "its bundle is in the directory, and the file is not")
		}
	}
	slices.SortStableFunc(items, func(a, b Item) int { return cmp.Compare(rank(a.Ref), rank(b.Ref)) })
	return items, nil
}

func rank(path string) int {
	switch {
	case strings.HasSuffix(path, ".tgz"):
		return 0
	case filepath.Base(path) == ImagesFile:
		return 1
	}
	return 2
}

// list names the files of a directory, in order. A directory inside it, or
// anything else that is no file, is no part of a release.
func list(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if len(entries) > maxFiles {
		return nil, errors.New("it has more than 2,000 entries, and is no directory of a release alone")
	}
	var names []string
	for _, e := range entries {
		info, err := os.Stat(filepath.Join(dir, e.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if info.Mode().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// DefaultRegistry is where kora's charts and images are (R21).
const DefaultRegistry = "ghcr.io/runkora"

// Charts are the charts of a release in a registry or mirror.
func Charts(reg, version string) []Item {
	var out []Item
	for _, chart := range []string{"kora-crds", "kora"} {
		out = append(out, Item{What: Chart, Ref: reg + "/charts/" + chart + ":" + strings.ReplaceAll(version, "+", "_")})
	}
	return out
}

// Mirrored are images as they are named in a mirror of kora's registry; images
// of other registries keep their names.
func Mirrored(images []Item, reg string) []Item {
	out := slices.Clone(images)
	for i := range out {
		if rest, ok := strings.CutPrefix(out[i].Ref, DefaultRegistry+"/"); ok {
			out[i].Ref = reg + "/" + rest
		}
	}
	return out
}

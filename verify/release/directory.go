package release

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
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
// provenance (R46, R47). Whatever lies there is an item, also a folder, or a
// provenance of something else: what would be passed over would be used in the
// belief that it was verified. A file that the release has and the directory
// does not is an item too. Charts and images.txt come first.
func Directory(dir, version string) ([]Item, faults.List) {
	entries, err := list(dir)
	if err != nil {
		f := faults.New(faults.FileMissing, "the directory of downloads cannot be read: "+cause(err))
		f.File, f.Fix = dir, "download the release into a directory of its own: gh release download v"+version+" --repo runkora/kora --dir DIR"
		return nil, faults.List{f}
	}
	d := downloads{dir: dir, version: version, entries: entries, has: map[string]bool{}}
	for _, name := range d.charts() {
		d.need(name)
	}
	d.need(ImagesFile)
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		d.entry(name)
	}
	slices.SortStableFunc(d.items, func(a, b Item) int { return cmp.Compare(rank(a.Ref), rank(b.Ref)) })
	return d.items, nil
}

// downloads are the files of a release, as they become items.
type downloads struct {
	dir, version string
	entries      map[string]bool // by name: whether it is a regular file
	has          map[string]bool
	items        []Item
}

func (d *downloads) charts() []string {
	return []string{"kora-" + d.version + ".tgz", "kora-crds-" + d.version + ".tgz"}
}

func (d *downloads) provenance() string { return "kora-" + d.version + linesSuffix }

func (d *downloads) need(name string) {
	if _, ok := d.entries[name]; !ok {
		d.add(name, "the release has this file, and the directory does not")
	}
}

func (d *downloads) entry(name string) {
	of, isBundle := strings.CutSuffix(name, bundleSuffix)
	if strings.HasSuffix(of, bundleSuffix) {
		isBundle = false // a bundle has none of its own: this is a file like others
	}
	_, there := d.entries[of]
	switch {
	case !d.entries[name]:
		f := faults.New(faults.NotSigned, "it is no regular file, and a release has nothing else")
		f.File, f.Fix = filepath.Join(d.dir, name), "keep the files of the release in a directory of their own"
		d.items = append(d.items, Item{What: File, Ref: f.File, Found: faults.List{f}})
	case name == d.provenance():
		// Its envelopes are signed, so that a bundle of its own may be there and
		// need not.
		if _, bundle := d.entries[name+bundleSuffix]; bundle {
			path := filepath.Join(d.dir, name)
			d.items = append(d.items, Item{What: File, Ref: path, Bundle: path + bundleSuffix})
		}
	case !isBundle:
		d.add(name, "")
	case !there:
		d.add(of, "its bundle is in the directory, and the file is not")
	}
}

func (d *downloads) add(name, missing string) {
	if d.has[name] {
		return
	}
	d.has[name] = true
	path := filepath.Join(d.dir, name)
	file := Item{What: File, Ref: path, Bundle: path + bundleSuffix, Missing: missing}
	if slices.Contains(d.charts(), name) {
		file.Chart = &Named{Name: strings.TrimSuffix(name, "-"+d.version+".tgz"), Version: d.version}
	}
	d.items = append(d.items, file, Item{What: Provenance, Ref: path, Bundle: filepath.Join(d.dir, d.provenance()), Missing: missing})
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

// cause is an error without the path, which is told beside it.
func cause(err error) string {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err.Error()
	}
	return err.Error()
}

// list names everything in a directory, and tells regular files from the rest.
func list(dir string) (map[string]bool, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if len(entries) > maxFiles {
		return nil, errors.New("it has more than 2,000 entries, and is no directory of a release alone")
	}
	out := map[string]bool{}
	for _, e := range entries {
		info, err := os.Stat(filepath.Join(dir, e.Name()))
		out[e.Name()] = err == nil && info.Mode().IsRegular()
	}
	return out, nil
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

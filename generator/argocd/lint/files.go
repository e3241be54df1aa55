package lint

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/regular"
	"github.com/runkora/kora/internal/source"
)

// The bounds of one run.
const (
	maxFiles = 5000
	maxDepth = 20
	maxBytes = 64 << 20 // of all files together
)

var limits = source.Limits{Bytes: 2 << 20, Nodes: 200_000, Depth: 100, Aliases: 500}

// file is one file as it was read. at is its path below the folder.
type file struct {
	at, name, text string
	docs           []*source.Node
}

// chart reports a file among the templates of a chart.
func (f file) chart() bool { return strings.Contains("/"+f.at, "/templates/") }

// template reports a file of a Helm chart, which is no YAML before Helm has
// filled it in.
func (f file) template() bool {
	return f.chart() && (strings.HasSuffix(f.at, ".tpl") || strings.Contains(f.text, "{{"))
}

// reader collects the files below a path.
type reader struct {
	root  string
	files []file
	bytes int
	found faults.List
}

func read(name string) ([]file, faults.List) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, faults.List{unreadable(name, err)}
	}
	r := &reader{root: name}
	switch {
	case info.IsDir():
		r.folder(name)
	case info.Mode().IsRegular():
		r.one(os.DirFS(filepath.Dir(name)), filepath.Base(name), name)
	default:
		f := faults.New(faults.FileKind, "this is neither a file nor a folder")
		f.File, f.Expected, f.Fix = name, "a YAML file, or a folder of them", "name the file or folder itself"
		return nil, faults.List{f}
	}
	return r.files, r.found
}

func (r *reader) folder(name string) {
	root, err := regular.OpenRoot(name)
	if err != nil {
		r.found = append(r.found, unreadable(name, err))
		return
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(at string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			r.found = append(r.found, unreadable(filepath.Join(name, at), err))
			return nil
		case e.IsDir() && (e.Name() == ".git" || strings.Count(at, "/") >= maxDepth):
			return fs.SkipDir
		case e.Type().IsRegular() && readable(at):
			return r.one(root.FS(), at, filepath.Join(name, filepath.FromSlash(at)))
		}
		return nil
	})
	if err != nil && !errors.Is(err, errTooMuch) {
		r.found = append(r.found, unreadable(name, err))
	}
}

func readable(at string) bool {
	switch path.Ext(at) {
	case ".yaml", ".yml", ".json", ".tpl":
		return true
	}
	return false
}

var errTooMuch = errors.New("too much to read")

func (r *reader) one(from fs.FS, at, name string) error {
	if len(r.files) >= maxFiles || r.bytes > maxBytes {
		f := faults.New(faults.YAMLLimit, "there is more to read than one run takes")
		f.File, f.Expected, f.Fix = r.root, fmt.Sprintf("at most %d files and %d MiB", maxFiles, maxBytes>>20), "name the folder of the app-of-apps alone"
		r.found = append(r.found, f)
		return errTooMuch
	}
	f, err := from.Open(at)
	if err != nil {
		r.found = append(r.found, unreadable(name, err))
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, int64(limits.Bytes)+1))
	if err != nil {
		r.found = append(r.found, unreadable(name, err))
		return nil
	}
	r.bytes += len(text)
	r.parse(file{at: at, name: name, text: string(text)})
	return nil
}

func (r *reader) parse(f file) {
	if !f.template() {
		docs, found := source.Parse(source.NewFile(f.name, f.text), limits)
		f.docs, r.found = docs, append(r.found, found...)
	}
	r.files = append(r.files, f)
}

func unreadable(name string, err error) faults.Fault {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err
	}
	f := faults.New(faults.FileMissing, fmt.Sprintf("cannot read it: %v", err))
	f.File, f.Fix = name, "check the spelling of the path and that the file may be read"
	return f
}

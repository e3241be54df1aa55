package patches

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// dataLink is where a ConfigMap mount keeps its files: every name is a link
// into it, and it is itself a link that is switched when the ConfigMap changes.
const dataLink = "..data"

// loader reads one directory and nothing outside it.
type loader struct {
	dir   string
	root  *os.Root
	data  *os.Root // what ..data led to when loading began; nil where there is none
	found faults.List
}

// Load reads a directory of patch files, each <key>.yaml or <key>.yml (R12).
// Links may lead to files in the directory, as in a ConfigMap mount, and
// nowhere else; only regular files are opened.
func Load(dir string) ([]Entry, faults.List) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, faults.List{unreadable(dir, syscall.ENOTDIR)} // to open a fifo would wait
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, faults.List{unreadable(dir, err)}
	}
	return load(root, dir)
}

// LoadIn is Load of a directory in another one, which no link of it leads out of
// (R43).
func LoadIn(in *os.Root, dir string) ([]Entry, faults.List) {
	root, err := in.OpenRoot(dir)
	if err != nil {
		return nil, faults.List{unreadable(dir, err)}
	}
	return load(root, dir)
}

// load reads root, whose name in faults is dir, and closes it.
func load(root *os.Root, dir string) ([]Entry, faults.List) {
	defer root.Close()
	l := &loader{dir: dir, root: root}
	if data, err := root.OpenRoot(dataLink); err == nil {
		defer data.Close()
		l.data = data
	}
	names, err := l.names()
	if err != nil {
		return nil, faults.List{unreadable(dir, err)}
	}
	if len(names) > MaxEntries {
		f := tooMany(source.Pos{}, len(names))
		f.File = dir
		return nil, faults.List{f}
	}
	return l.entries(names), l.found
}

func unreadable(path string, err error) faults.Fault {
	f := faults.New(faults.FileMissing, "cannot read it: "+reason(err))
	f.Fix = "check the spelling of the path, and that this user may read it"
	if errors.Is(err, syscall.ENOTDIR) {
		f = faults.New(faults.FileKind, "not a directory")
		f.Expected, f.Fix = "a directory of patch files", "give the directory that the file lies in"
	}
	f.File = path
	return f
}

// reason is the cause without the path, which the fault names already.
func reason(err error) string {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err.Error()
	}
	return err.Error()
}

// names lists the patch files by key; other files and dot entries are not ours,
// but one that was meant as a patch is warned about.
func (l *loader) names() ([]string, error) {
	list, err := fs.ReadDir(l.root.FS(), ".")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range list {
		switch ext := filepath.Ext(e.Name()); {
		case e.Name()[0] == '.':
		case ext == ".yaml" || ext == ".yml":
			out = append(out, e.Name())
		default:
			l.passedBy(e)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(strings.Compare(key(a), key(b)), strings.Compare(a, b)) })
	return out, nil
}

func key(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }

func (l *loader) entries(names []string) []Entry {
	var out []Entry
	left := newBudget()
	for _, name := range names {
		text, err := l.read(name)
		if err != nil {
			l.refuse(name, err)
			continue
		}
		f := source.NewFile(filepath.Join(l.dir, name), text)
		if len(text) > source.DefaultLimits.Bytes {
			l.parse(f) // refuses it by itself
			continue
		}
		if found := left.spend(text, nil); found != "" { // before it is read: it may be no YAML
			l.found = append(l.found, tooLarge(f.At(1, 1), found))
			return nil
		}
		n := l.parse(f)
		if n == nil {
			continue
		}
		if found := left.spend("", []*source.Node{n}); found != "" {
			l.found = append(l.found, tooLarge(f.At(1, 1), found))
			return nil
		}
		out = append(out, Entry{key(name), n})
	}
	return out
}

func (l *loader) parse(f *source.File) *source.Node {
	docs, found := source.Parse(f, source.DefaultLimits)
	l.found = append(l.found, found...)
	if found.Refused() && len(docs) == 0 {
		return nil
	}
	if len(docs) != 1 {
		bad := f.At(1, 1).Fault(faults.EntryShape, "a patch file holds one entry")
		bad.Found, bad.Expected = fmt.Sprintf("%d YAML documents", len(docs)), "one map with target and patch"
		bad.Fix = "write target: {kind: …} and patch: |, or remove the file"
		if len(docs) > 1 {
			bad.Fix = "put each entry into a file of its own; the documents of one patch stand under its patch: |"
		}
		l.found = append(l.found, bad)
		return nil
	}
	return docs[0]
}

var errKind = errors.New("not a regular file")

// read never waits on a fifo: what is not a regular file is not opened.
func (l *loader) read(name string) (string, error) {
	root, name := l.where(name)
	if info, err := root.Stat(name); err != nil {
		return "", err
	} else if !info.Mode().IsRegular() {
		return "", errKind
	}
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, int64(source.DefaultLimits.Bytes)+1))
	return string(b), err
}

// where pins a ConfigMap's names to the state that ..data had at first, so
// that an update in between never mixes two versions of the patches.
func (l *loader) where(name string) (*os.Root, string) {
	target, err := l.root.Readlink(name)
	if rest, ok := strings.CutPrefix(target, dataLink+"/"); ok && err == nil && l.data != nil {
		return l.data, rest
	}
	return l.root, name
}

func (l *loader) refuse(name string, err error) {
	f := unreadable(filepath.Join(l.dir, name), err)
	f.Expected, f.Fix = "a regular file in the directory", "put the file itself there"
	switch {
	case errors.Is(err, fs.ErrPermission):
		f.Fix = "let this user read the file"
	case errors.Is(err, errKind):
		f.Code, f.Message = faults.FileKind, "not a regular file"
	case !errors.Is(err, fs.ErrNotExist):
		f.Code, f.Message = faults.FileKind, "the link leads out of the directory, or nowhere: "+reason(err)
	}
	l.found = append(l.found, f)
}

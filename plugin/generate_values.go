package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/runkora/kora/generator/agreement"
	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/regular"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/values"
)

// place is a file below a folder that is not left, whatever links it holds.
type place struct{ folder, file string }

func (p place) name() string { return filepath.Join(p.folder, filepath.FromSlash(p.file)) }

// read gives the text of a plain file, and whether there is one.
func (p place) read(limit int) (string, bool, faults.List) {
	root, err := regular.OpenRoot(p.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, faults.List{unreadableFile(p.folder, err)}
	}
	defer root.Close()
	info, err := root.Stat(filepath.FromSlash(p.file))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false, nil
	case err == nil && !info.Mode().IsRegular():
		f := faults.New(faults.FileKind, "not a regular file")
		f.File, f.Expected, f.Fix = p.name(), "a regular file, or nothing", "put a plain file in its place, or remove it"
		return "", true, faults.List{f}
	}
	if err != nil {
		return "", true, faults.List{p.outOfReach(root, err)}
	}
	file, err := root.OpenFile(filepath.FromSlash(p.file), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", true, faults.List{unreadableFile(p.name(), err)}
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, int64(limit)+1))
	if err != nil {
		return "", true, faults.List{unreadableFile(p.name(), err)}
	}
	return string(text), true, nil
}

// outOfReach is the fault of a file that cannot be read; where a link leads out of
// the folder on the way, that is the fault, by the code of writing through one.
func (p place) outOfReach(root *os.Root, err error) faults.Fault {
	for at := p.file; at != "."; at = path.Dir(at) {
		info, broken := root.Lstat(filepath.FromSlash(at))
		if broken != nil || info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		f := faults.New(faults.OutsideFolder, "the way to the file leads out of the folder")
		f.File, f.Found, f.Expected = place{p.folder, at}.name(), "a link", "a plain file or folder, or nothing"
		f.Fix = "remove " + f.File + ", or put in its place what it leads to"
		return f
	}
	return unreadableFile(p.name(), err)
}

// own compares a person's values of kora, which the generated tree reads, with
// the environment (R38, R39), judges its facts, and reports whether there are any
// values.
func (f *generateFlags) own(stdin io.Reader, env environment.Placed, places []place) (bool, faults.List) {
	tree, found := f.load(stdin, places)
	if tree != nil && env.Environment != nil {
		found = append(found, tree.Hushed(agreement.Check(tree.Root(), env))...)
	}
	if env.Environment != nil && !found.Refused() {
		found = append(found, sound(tree, env)...)
	}
	return tree != nil, found
}

// load reads the values of -f, or those at the first place where there are some;
// nil where there are none.
func (f *generateFlags) load(stdin io.Reader, places []place) (*values.Tree, faults.List) {
	if f.values != nil {
		return values.Load(values.Input{Files: f.values, Stdin: stdin})
	}
	for _, p := range places {
		text, there, found := p.read(source.DefaultLimits.Bytes)
		if !there && found == nil {
			continue
		}
		tree, more := values.Read(source.NewFile(p.name(), text))
		return tree, append(found, more...)
	}
	return nil, nil
}

// helmfileValues is where the generated Helmfile reads them.
func (f *generateFlags) helmfileValues() []place {
	if f.output == "" {
		return nil
	}
	return []place{{f.output, "values/kora.yaml"}}
}

// argocdValues is where they are in a checkout that is laid out as the environment
// says: one repository holds them and the folder that is written. Else they may be
// in that folder, as a Helmfile has them.
func (f *generateFlags) argocdValues(env *environment.Environment) []place {
	if f.output == "" {
		return nil
	}
	out := []place{{f.output, "values/kora.yaml"}}
	if env == nil {
		return out
	}
	apps, own := env.ArgoCD.Apps, env.ArgoCD.Values
	folder, err := filepath.Abs(f.output)
	if err != nil || apps.URL != own.URL || apps.Revision != own.Revision || path.Base(apps.Path) != "apps" {
		return out
	}
	root := folder
	if above := path.Dir(apps.Path); above != "." {
		var fits bool
		if root, fits = strings.CutSuffix(filepath.ToSlash(folder), "/"+above); !fits || root == "" {
			return out
		}
	}
	return append([]place{{shortened(root), path.Join(own.Path, "kora.yaml")}}, out...)
}

// shortened is a folder as a person would name it from where they are.
func shortened(folder string) string {
	here, err := os.Getwd()
	if err != nil {
		return folder
	}
	if near, err := filepath.Rel(here, folder); err == nil && filepath.IsLocal(near) {
		return near
	}
	return folder
}

// kept is the environment that an output folder already has under the name: it is
// a person's, and the one that Helmfile reads.
func (f *generateFlags) kept(name string) (source.File, bool, faults.List) {
	if f.output == "" {
		return source.File{}, false, nil
	}
	p := place{f.output, "environments/" + name + ".yaml"}
	text, there, found := p.read(environment.Limits.Bytes)
	return *source.NewFile(p.name(), text), there, found
}

// environmentName refuses a name that the folder has for something else, or that
// no file and no word after helmfile -e should have.
func environmentName(name string) error {
	switch {
	case name == "defaults":
		return usageError{errors.New("an environment cannot be called defaults: environments/defaults.yaml holds what every environment may leave out; give the file of -e another name")}
	case name == "" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-") || strings.ContainsFunc(name, unnamable):
		return usageError{fmt.Errorf("an environment cannot be called %q: give the file of -e a name of letters, digits, points, hyphens and underscores", name)}
	}
	return nil
}

func unnamable(r rune) bool {
	return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-", r)
}

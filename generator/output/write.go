package output

import (
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/runkora/kora/internal/faults"
)

// Change is what writing does to one file.
type Change struct {
	Path string
	// What is "written", "removed", "kept" (yours) or "unchanged".
	What string
}

// step is one file of the set and what is on the disk in its place.
type step struct {
	path      string
	old, new  string
	there     bool
	remove    bool
	untouched bool // it is kora's own, as it was written
	yours     bool
}

func (s step) what() string {
	switch {
	case s.yours && s.there:
		return "kept"
	case s.remove:
		return "removed"
	case s.there && s.old == s.new:
		return "unchanged"
	}
	return "written"
}

// Write brings the folder to the set. It changes nothing at all when a person
// changed one of the files, or when one would lie outside. Forced it writes over
// what was changed; one that is no longer generated it removes never.
func (s Set) Write(name string, force bool) ([]Change, faults.List) {
	dir, found := open(name)
	if found.Refused() {
		return nil, found
	}
	defer dir.close()
	steps, found := s.steps(dir)
	found = append(found, s.lost(dir, steps, force)...)
	if found.Refused() {
		return nil, found
	}
	var changes []Change
	for _, each := range steps {
		if err := each.do(dir); err != nil {
			return changes, faults.List{unreadable(dir.path(each.path), err)}
		}
		changes = append(changes, Change{each.path, each.what()})
	}
	return changes, nil
}

func (s step) do(dir *folder) error {
	switch s.what() {
	case "removed":
		return dir.remove(s.path)
	case "written":
		return dir.write(s.path, s.new)
	}
	return nil
}

// steps compares the set with the disk, and finds what the generator has
// written once and no longer does.
func (s Set) steps(dir *folder) ([]step, faults.List) {
	var steps []step
	var found faults.List
	wanted := map[string]bool{}
	for _, f := range s.Files {
		wanted[f.Path] = true
		old, there, more := dir.read(f.Path)
		if found = append(found, more...); more != nil {
			continue // what is there was told, and has no text to compare
		}
		steps = append(steps, step{
			path: f.Path, old: old, new: s.content(f), there: there, yours: f.Yours,
			untouched: stateOf(s.Generator, old) == untouched,
		})
	}
	for _, name := range dir.names(s.Files) {
		if wanted[name] {
			continue
		}
		old, there, _ := dir.read(name)
		if state := stateOf(s.Generator, old); there && state != foreign {
			steps = append(steps, step{path: name, old: old, there: true, remove: true, untouched: state == untouched})
		}
	}
	return steps, found
}

// lost is a fault for every file whose text a person wrote, and that would go.
func (s Set) lost(dir *folder, steps []step, force bool) faults.List {
	var found faults.List
	for _, each := range steps {
		if !each.there || each.untouched || each.yours || each.old == each.new || force && !each.remove {
			continue
		}
		f := faults.New(faults.EditedFile, "the file was changed by hand since it was generated")
		f.Fix = "move the change to the environment or your values, or write over it with --force"
		switch {
		case each.remove:
			f.Message, f.Fix = strayText, strayFix
		case stateOf(s.Generator, each.old) == foreign:
			f.Message = "the file is not one that kora generated"
		}
		f.File = dir.path(each.path)
		found = append(found, f)
	}
	return found
}

// Of a file that no run would write again, such as a copy of a generated one.
const (
	strayText = "the file bears the seal of generated ones, was changed by hand, and is no longer generated"
	strayFix  = "keep it as your own by taking its first line away, or remove it: --force does neither"
)

// Check compares the folder with the set and writes nothing. It gives the
// differences as a unified diff from what is on the disk to what would be
// written, and a fault for each file that differs.
func (s Set) Check(name string) (string, faults.List) {
	dir, found := open(name)
	if found.Refused() {
		return "", found
	}
	defer dir.close()
	steps, found := s.steps(dir)
	var b strings.Builder
	for _, each := range steps {
		if what := each.what(); what == "kept" || what == "unchanged" {
			continue
		}
		b.Write(diff.Diff(dir.path(each.path), []byte(each.old), dir.path(each.path)+" (generated)", []byte(each.new)))
		found = append(found, dir.drift(each))
	}
	return b.String(), found
}

func (d *folder) drift(s step) faults.Fault {
	f := faults.New(faults.GeneratedDiff, "the file is not what would be generated")
	switch {
	case !s.there:
		f.Message = "the file is missing"
	case s.remove && !s.untouched:
		f.Message, f.Fix = strayText, strayFix
	case s.remove:
		f.Message = "the file is no longer generated"
	}
	f.File = d.path(s.path)
	return f
}

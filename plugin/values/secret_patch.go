package values

import (
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/patches"
)

// HushedPatches takes out of the faults of manifest patches what may be a secret
// (R12, R22): of a variable all but its name, in whichever line of the patch that
// stands. The files are those that the patches were read from.
func HushedPatches(found faults.List, files ...*source.File) faults.List {
	for i := range found {
		f := &found[i]
		at := slices.IndexFunc(files, func(file *source.File) bool { return file != nil && file.Name == f.File })
		whole := ""
		if at >= 0 && f.Line > 0 {
			whole = files[at].Line(f.Line)
		}
		switch {
		case f.SourceFrom > 0 && (whole == "" || guarded(whole) || patchValue.MatchString(whole)):
			f.Source = "" // it may begin within the value
		case f.Code == faults.YAMLDuplicate && keyOfLine(f.Source, shownAt(*f)) != "":
			// The key is one; what it holds is hidden below.
		case brokenYAML(*f) && at >= 0 && enclosed(files[at], f.Line):
			f.Source = shapeless(f.Source)
			unseen(f)
		}
		hushPatch(f)
	}
	return found
}

// Texts are the files that patches were read from.
func Texts(entries []patches.Entry) []*source.File {
	var out []*source.File
	for _, e := range entries {
		if file := e.Node.Pos.File; file != nil && !slices.Contains(out, file) {
			out = append(out, file)
		}
	}
	return out
}

// Unparsed are the files of a list's faults of YAML: no entry came of them.
func Unparsed(found faults.List) []*source.File {
	var out []*source.File
	for _, f := range found {
		known := slices.ContainsFunc(out, func(file *source.File) bool { return file.Name == f.File })
		if !brokenYAML(f) || known {
			continue
		}
		if file, _ := (&reader{}).read(f.File); file != nil {
			out = append(out, file)
		}
	}
	return out
}

// shownAt is the column of a fault in what it shows of its line.
func shownAt(f faults.Fault) int { return f.Column - max(f.SourceFrom-1, 0) }

func brokenYAML(f faults.Fault) bool { return strings.HasPrefix(string(f.Code), "KORA-Y") }

// hushPatch hides what one fault shows of a variable: what its line holds, and what
// it says of the value.
func hushPatch(f *faults.Fault) {
	column := shownAt(*f)
	variable := ofVariable(fields.Path(f.Field))
	switch {
	case f.Code == faults.YAMLDuplicate, variable && f.Code == faults.UnknownField:
		f.Source = behindKey(f.Source, column)
	case brokenYAML(*f):
		f.Source = hushedBroken(f.Source)
	case variable:
		f.Source = behind(f.Source, column)
	}
	f.Source = hushedPatch(withoutValue(f.Source, column, variable))
	if !variable || f.Code == faults.UnknownField {
		return
	}
	if f.Found != "" && !slices.Contains(shapes, f.Found) {
		f.Message = unsaid(f.Message, f.Found)
		f.Found = cutOff
	}
	if before, _, quoted := strings.Cut(f.Fix, `: "`); quoted {
		f.Fix = before
	}
}

// ofVariable reports whether a path leads to what may be the value of a variable, of
// an argument, or of a key whose name smells: not to a name, nor to what refers to
// the key of a Secret.
func ofVariable(path fields.Path) bool {
	steps := path.Steps()
	if len(steps) == 0 {
		return false
	}
	last := steps[len(steps)-1].Name
	for i, s := range steps {
		if holdsWords(s.Name) {
			return !(i+2 == len(steps)-1 && last == "name") && !slices.ContainsFunc(steps[i:], func(s fields.Step) bool { return s.Name == "valueFrom" })
		}
	}
	return smells(last)
}

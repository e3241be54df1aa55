package faults

import (
	"cmp"
	"slices"
)

// List is what a run found, all of it (R15).
type List []Fault

// Refused reports whether the list holds an error.
func (l List) Refused() bool { return l.Errors() > 0 }

// Errors counts the faults that refuse the input. Whatever is not plainly a
// warning is one, so that a check which forgot the severity still refuses.
func (l List) Errors() int { return len(l) - l.Warnings() }

// Warnings counts the faults that do not refuse the input.
func (l List) Warnings() int {
	n := 0
	for _, f := range l {
		if f.Severity == Warning {
			n++
		}
	}
	return n
}

// Strict returns the list with every warning raised to an error (R16).
func (l List) Strict() List {
	out := slices.Clone(l)
	for i := range out {
		out[i].Severity = Error
	}
	return out
}

// With returns the list and those of another that tell something else: what is found at one
// place of a file by one code is one fault, whichever objects it shows at.
func (l List) With(more List) List {
	type place struct {
		code         Code
		file, key    string
		line, column int
		field        string
	}
	seen := map[place]bool{}
	at := func(f Fault) place {
		p := place{f.Code, f.File, f.Key, f.Line, f.Column, f.Field}
		if f.Line > 0 {
			p.field = ""
		}
		return p
	}
	for _, f := range l {
		seen[at(f)] = true
	}
	out := l[:len(l):len(l)]
	for _, f := range more {
		if !seen[at(f)] {
			seen[at(f)] = true
			out = append(out, f)
		}
	}
	return out
}

// Sorted returns the faults ordered by file, line and column, then by code,
// object, field and message, so that two runs print the same. A fault that
// was found twice stands there once.
func (l List) Sorted() List {
	out := slices.Clone(l)
	slices.SortStableFunc(out, compare)
	return slices.Compact(out)
}

// compare looks at every field, so that equal faults end up side by side.
func compare(a, b Fault) int {
	return cmp.Or(
		cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.Template, b.Template),
		cmp.Compare(a.Key, b.Key), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Object, b.Object),
		cmp.Compare(a.Field, b.Field), cmp.Compare(a.Message, b.Message), cmp.Compare(a.Found, b.Found),
		cmp.Compare(a.Expected, b.Expected), cmp.Compare(a.Fix, b.Fix),
		cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Source, b.Source),
		cmp.Compare(a.SourceFrom, b.SourceFrom),
	)
}

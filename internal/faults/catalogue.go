package faults

import (
	"cmp"
	"slices"
	"sync"
)

// Code names one rule for good: codes are never reused.
type Code string

// Entry is one row of the catalogue from which docs/reference/faults.md is made.
type Entry struct {
	Code     Code
	Severity Severity
	// Title says in a few words what is wrong.
	Title string
	// Why tells the reason for the rule, with its requirement.
	Why string
	// Fix tells in general what to do.
	Fix string
}

// Catalogue returns every rule, ordered by code.
func Catalogue() []Entry {
	all := slices.Concat(
		yamlEntries(),
		fieldEntries(),
		patchEntries(),
		valueEntries(),
		givenEntries(),
		agentEntries(),
		themeEntries(),
		releaseEntries(),
		verifyEntries(),
		generateEntries(),
		argocdEntries(),
		upgradeEntries(),
		clusterEntries(),
		cmpEntries(),
		operatorEntries(),
	)
	slices.SortFunc(all, func(a, b Entry) int { return cmp.Compare(a.Code, b.Code) })
	return all
}

// byCode is made once, by the first fault of a run, and only read afterwards.
var byCode = sync.OnceValue(func() map[Code]Entry {
	rows := map[Code]Entry{}
	for _, e := range Catalogue() {
		rows[e.Code] = e
	}
	return rows
})

// Lookup returns the catalogue's row of a code.
func Lookup(c Code) (Entry, bool) {
	e, ok := byCode()[c]
	return e, ok
}

// New returns a fault with the severity that the catalogue gives its code. A
// code that the catalogue does not hold is an error: it never weakens a check.
func New(code Code, message string) Fault {
	f := Fault{Code: code, Severity: Error, Message: message}
	if e, ok := Lookup(code); ok {
		f.Severity = e.Severity
	}
	return f
}

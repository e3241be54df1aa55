// Package faults holds the one type that every check of kora returns: what is
// wrong, where (file, line, column, object, field), why, and what to do.
//
// A check never prints and never exits: it returns a List. Only the command
// line prints one, through a Printer, and only main turns it into a status.
package faults

// Severity says whether a fault refuses the input or only warns about it.
type Severity string

// The two severities. Under --strict a warning counts as an error (R16).
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Fault is one thing that is wrong in what a person wrote. Texts are lower
// case and without a full stop. A Fault never holds a secret's value.
type Fault struct {
	// Code is the stable name of the rule, such as "KORA-P101"; see Catalogue.
	Code Code `json:"code"`
	// Severity is the catalogue's for Code unless --strict raised it.
	Severity Severity `json:"severity"`
	// File is the file as the user named it, or a flag such as "--set a=b".
	File string `json:"file,omitempty"`
	// Key is the values key the fault lies under, "agents.manifestPatches.50-a".
	Key string `json:"key,omitempty"`
	// Template is where in a chart the fault lies, when that is no place in File: a
	// template that is packed, or a line of what a template renders.
	Template string `json:"template,omitempty"`
	// Line and Column count from 1 and point into File, 0 where unknown.
	// Column counts runes, as editors do.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// Object is "Kind name" of the Kubernetes object concerned.
	Object string `json:"object,omitempty"`
	// Field is the path in Object or in the values, "spec.replicas".
	Field string `json:"field,omitempty"`
	// Message says what is wrong in one sentence.
	Message string `json:"message"`
	// Found and Expected are what was there and what would have been taken.
	Found    string `json:"found,omitempty"`
	Expected string `json:"expected,omitempty"`
	// Fix is what the reader can do now.
	Fix string `json:"fix,omitempty"`
	// Source is the text of the offending line, for the caret. Of a long line
	// it is the part around Column.
	Source string `json:"source,omitempty"`
	// SourceFrom is the column at which Source starts when it is a part, else 0.
	SourceFrom int `json:"sourceFrom,omitempty"`
}

// Package fields knows the fields of a Go type as JSON names them: which there
// are, what each may hold, and by which key a list of it merges.
//
// One walk over a Go type serves four readers: the strict check of values and
// patches (R13), the comparison of two objects field by field, the paths that
// faults and --explain print, and the schema that kustomize merges by.
package fields

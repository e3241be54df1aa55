// Package facts is what preflight knows of a cluster (R55): plain data, that
// one package gathers, a file can hold, and the checks judge. Nothing here
// reads a cluster and nothing decides.
//
// Each part is there, or says why it is not: what could not be read is never
// taken for good or for bad.
package facts

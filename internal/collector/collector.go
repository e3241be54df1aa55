// Package collector puts the garbage collector off while the program starts. The
// heavy libraries build their tables when they are initialised, before main, and
// collecting in the midst of it costs more than the memory. It imports next to
// nothing, so that it is initialised before them; package main imports it first
// and calls Restore.
package collector

import "runtime/debug"

// before is the setting at the start. This is the one package with an effect of
// its import: nothing later than this would be early enough.
var before = debug.SetGCPercent(1000)

// Restore gives the collector a setting for the rest of a short life, in per cent
// of the live heap; where GOGC was set, that one.
func Restore(percent int) {
	if before != 100 {
		percent = before
	}
	debug.SetGCPercent(percent)
}

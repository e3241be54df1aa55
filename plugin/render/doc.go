// Package render turns values and patches into the manifests that kora would
// create, and explains where each of their fields came from. It prints
// nothing itself and reads only what it was given: no cluster, no database,
// no network (R1, R2).
package render

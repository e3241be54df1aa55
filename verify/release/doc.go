// Package release verifies many artifacts in one run: those of a release, of a
// list, or of a command line (R45, R46, R49). It knows what belongs together
// and in which order things are told; registry fetches, verify judges.
package release

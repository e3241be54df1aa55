// Package sizing tells the largest sandbox that fits a node (R10, and D's
// "Sandbox images and environments"):
//
//	allocatable - what DaemonSets request, those of the values too - what injection adds - 1Gi of scratch
//	- the overhead of its RuntimeClass
//
// It reads nodes and pods that somebody else fetched, and prints nothing.
package sizing

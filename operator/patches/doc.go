// Package patches reads manifest patches, compiles them once, applies them to
// the objects of an agent type and refuses what a patch may not do (R12 to
// R18). The preview and the running kora-agents call the same code.
//
// The way of a patch: Load or FromValues give Entries, Compile makes a Set of
// them or says what is wrong with each, and Set.Render builds an agent type's
// objects, patches them and judges the result. Every step returns all the
// faults it found.
package patches

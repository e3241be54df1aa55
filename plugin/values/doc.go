// Package values reads values files and the --set family of flags into one
// tree that remembers where every value stood.
//
// [Load] merges as Helm does: files in order, then flags in the order of the
// command line. Every value keeps the place that it came from: file, line and
// column, or the flag. [Tree.Check] finds all faults in the part of the values
// that the objects of agent types depend on (R4, R10, R11, R20, R21, R28), and
// [Tree.Settings] turns that part into [agents.Settings].
//
// What the chart alone reads is accepted as it stands: plugin/schema/rules checks
// all values of a release. Manifest patches are another package's business: see
// [Tree.Patches].
package values

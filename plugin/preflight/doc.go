// Package preflight turns a user's values into what operator/preflight looks
// at, and its outcomes into reports (R55).
package preflight

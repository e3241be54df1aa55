// Package e2e goes the whole way of deploying-kora on a blank test cluster: what a
// person would type, in order, with the real Helmfile, both Helms, kora and
// kora-operator, and a check after each step (R55, R56). It is tests alone, of the
// build tag e2e: make e2e. docs/e2e.md says what stands in for what.
package e2e

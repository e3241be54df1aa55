// Package manager is the one controller-runtime manager of kora-operator: its
// scheme, caches, leader election, metrics and probes. What it runs are [Part]s,
// which know the manager's interface and nothing of this package.
package manager

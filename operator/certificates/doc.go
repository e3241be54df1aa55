// Package certificates makes the certificates of the operator's webhooks, has the
// API server trust them, and lets a webhook refuse only while it is known to serve
// (R54). docs/operator-admission.md tells the design and what it rests on.
//
//	hooks := certificates.New(certificates.Settings{Namespace: system})
//	server := door.New(door.Options{Port: 9443, TLS: hooks.TLS()})
//	… // hooks is a manager.Checker
//
// Three things run, each a step that is repeated and that starts from what it
// reads, so that a crash, a jump of the clock or another writer is one more state
// to start from and nothing to recover from:
//
//	authority  the leader mints and rotates the CA in the Secret and writes caBundle
//	leaf       every replica mints its certificate in memory and never stores it
//	policy     the leader writes failurePolicy: Ignore until a dry run was denied
package certificates

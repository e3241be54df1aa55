// Package soak is the test of the operator's scale and of what it survives: the
// real kora-operator as a process, with the rights that the chart gives, elected,
// with its webhooks on, against the test cluster.
//
//	go test ./operator/soak                # 20 tenants, 5 kills: a test as any other
//	make operator-soak                     # the large run, which writes docs/measurements/operator.md
//
// Tenants with ten resources each are made in steps. After each step everything is
// Ready, and the operator writes nothing any more, which a proxy before the API
// server counts. Then it is killed at random points while people change things,
// the API server restarts, somebody writes against it, and its webhooks are out:
// in the end all objects are compared with what they should be, and every status
// is linted.
//
// The seed decides what is changed and when the operator is killed.
package soak

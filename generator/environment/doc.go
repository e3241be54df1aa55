// Package environment reads the facts of one cluster: the trust domain, the
// hosts, where charts and images come from, the nodes (R38, R39).
//
// One file, such as environments/example.yaml, holds them all. Helmfile reads
// it as the values of an environment; the generator of Argo CD's Applications
// reads it here. A Go type says what it may hold: the check to the line, the
// defaults that Helmfile needs and the schema for editors come from that type.
package environment

// Package injection is the mutating webhook at /inject, which gives the pods of
// agents and sandboxes their enforcement sidecars (R10, R54), and refuses a pod
// that is not the agent that it says it is (R5, R6, R11).
//
// The sidecars of a pod are kora's enforcer, which this package adds, and the
// mesh's proxy, which Istio's own injector adds and whose share of
// operator.injection.sandboxSidecars this package sets, whichever of the two
// webhooks comes first. With both in place a sandbox requests exactly what
// operator/agents.SandboxTotal reserves for it.
//
// [Injector.Inject] is a pure function of a pod. The webhook around it reads the
// namespace and the agents in it and writes nothing, so a dry run is answered as
// any other request. What it returns for what it returned is the same again, and it
// takes nothing away that keeps a pod in bounds.
package injection

// Package agreement tells where a person's own values of kora and the
// environment say two things of one fact (R38, R39).
//
// The environment is the only place of cluster facts: SPIRE, Istio and kora have
// them from there. A values file that says otherwise would be passed over, or,
// where the environment says nothing, would reach kora alone and leave the mesh
// at something else.
package agreement

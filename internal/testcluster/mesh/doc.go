// Package mesh puts the mesh that kora needs into a test cluster: the real
// definitions of Istio and SPIRE, Istio's own charts as released, and stand-ins
// of our own for SPIRE, whose charts cannot be had. Containers do not run there,
// so what it gives is what preflight, the charts and the API server look at.
//
// The modules are read from the module cache, each against a pinned sum, and
// nothing of them is copied into the repository.
package mesh

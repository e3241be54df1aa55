package gather

import "slices"

// part is one thing to look for, by the name that the table below has for it.
type part string

const (
	namespaces  part = "namespaces"
	nodes       part = "nodes"
	istio       part = "istio" // revisions, tags, webhooks and what claims to be one
	daemons     part = "daemons"
	spire       part = "spire"
	identities  part = "identities"
	driver      part = "driver"
	crds        part = "definitions"
	classes     part = "classes"
	platform    part = "platform secret"
	frontend    part = "frontend secret"
	pulls       part = "pull secrets"
	authority   part = "redis' authority"
	certificate part = "certificate"
	database    part = "database"
	cache       part = "redis"
	privileged  part = "privileged pods"
	release     part = "release"
)

// looks are what each check looks at. The version of Kubernetes is always asked
// for: it is how a cluster shows that it is there.
func looks() map[string][]part {
	return map[string][]part{
		"kubernetes-version": {}, "system-namespace": {namespaces},
		"istio-running": {istio}, "istio-version": {istio}, "istio-revision": {istio}, "istio-injection": {istio, namespaces}, "istio-trust-domain": {istio}, "istio-cni": {istio, daemons},
		"spire-crd": {crds}, "spire-trust-domain": {spire}, "spire-class": {spire}, "spire-fallback": {identities, namespaces, spire}, "spire-csi-driver": {driver}, "spire-sds": {spire},
		"node-daemons": {nodes, daemons}, "node-taints": {daemons},
		"storage-class":   {classes},
		"platform-secret": {platform}, "frontend-secret": {frontend}, "pull-secrets": {pulls}, "redis-ca": {authority}, "gateway-certificate": {certificate},
		"postgres": {database}, "redis": {cache},
		"privileged-pods": {privileged, namespaces}, "release": {release},
	}
}

// wants reports whether some check to judge looks at one of the parts. A check
// that nobody told this package of looks at all.
func (r *reader) wants(any ...part) bool {
	if r.Checks == nil {
		return true
	}
	known := looks()
	return slices.ContainsFunc(r.Checks, func(id string) bool {
		at, told := known[id]
		return !told || slices.ContainsFunc(any, func(p part) bool { return slices.Contains(at, p) })
	})
}

package agreement

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/runkora/kora/internal/fields"
)

// sort is what kind of value a fact has: how two of them are compared.
type sort int

const (
	text     sort = iota
	amount        // a quantity: 1Gi is 1024Mi
	words         // a list of names, in any order
	labels        // a map of texts, key by key: Helm lays one over the other
	taints        // a list of tolerations
	document      // a text in the values, the name of a file in the environment
)

// fact is one that both may name: by its path in the environment, and by its
// path in the values of the chart.
type fact struct {
	env, value string
	sort       sort
	// alone is for facts that not only kora reads: what the others take when the
	// environment says nothing, so that the values may not say something else.
	// Empty where the word of the values then stands.
	alone string
	who   string // the others, for alone
}

// facts are all that the generated values of kora take from an environment.
func facts() []fact {
	return []fact{
		{env: "trustDomain", value: "global.trustDomain"},
		{env: "frontendHost", value: "frontendHost"},
		{env: "systemNamespace", value: "global.systemNamespace"},
		{env: "imageRegistry", value: "global.imageRegistry"},
		{env: "imagePullSecrets", value: "global.imagePullSecrets", sort: words},
		{env: "theme", value: "theme.document", sort: document},
		{env: "istio.revision", value: "istio.revision", alone: "the default revision", who: "Istio and the namespaces"},
		{env: "istio.outboundTrafficPolicy", value: "istio.outboundTrafficPolicy", alone: "ALLOW_ANY", who: "Istio"},
		{env: "workspace.storageClassName", value: "agents.workspace.storageClassName"},
		{env: "workspace.accessModes", value: "agents.workspace.accessModes", sort: words},
		{env: "workspace.size", value: "agents.workspace.size", sort: amount},
		{env: "nodePools.sessionManager.nodeSelector", value: "agents.workloads.sessionManager.nodeSelector", sort: labels},
		{env: "nodePools.sessionManager.tolerations", value: "agents.workloads.sessionManager.tolerations", sort: taints},
		{env: "nodePools.sandbox.nodeSelector", value: "agents.workloads.sandbox.nodeSelector", sort: labels},
		{env: "nodePools.sandbox.tolerations", value: "agents.workloads.sandbox.tolerations", sort: taints},
	}
}

// The class of ClusterSPIFFEIDs that the reference install's SPIRE reads: no fact
// of a cluster, and nothing that values may change.
const (
	classValue = "spire.className"
	class      = "spire-system-spire"
)

// reference is what both may name and no environment changes.
func reference() fact {
	return fact{value: classValue, alone: class, who: "SPIRE"}
}

// shape is the type that a value of the sort has in the values of the chart.
func (s sort) shape() *fields.Type {
	switch s {
	case amount:
		return fields.Of(resource.Quantity{})
	case words:
		return fields.Of([]string{})
	case labels:
		return fields.Of(map[string]string{})
	case taints:
		return fields.Of([]corev1.Toleration{})
	}
	return fields.Of("")
}

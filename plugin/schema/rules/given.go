package rules

import (
	"slices"
	"sync"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// Shape is what is never nothing: the blocks, numbers, switches and names that the
// chart cannot do without, as kora.shape in its templates has it; ServiceShape is
// what each service's block has besides.
const (
	Shape = `global: { imageRegistry: , logFormat: , postgresSSLMode: , observability: { samplingRate: } }
config:
  db: { host: , port: , name: , user: , maxConnections: }
  redis: { host: , port: , tls: { enabled: } }
  platformSecretName:
  migrate: { image: {}, timeoutSeconds: }
networkPolicy: { enabled: }
gateway: { create: , name: , byo: { podLabels: }, tls: { enabled: , credentialName: } }
ingressGateway: { replicas: , service: { type: } }
istio: { outboundTrafficPolicy: }
spire: { className: }
theme: {}
agents:
  workloads: { common: {}, sessionManager: { serviceAccount: {} }, sandbox: {} }
  workspace: { accessModes: , size: }
  environments:
    defaultSize: { cpu: , memory: , disk: }
    maxSize: { cpu: , memory: , disk: }
  config: {}
  sandboxImages: { bundled: { go: { enabled: }, python: { enabled: }, node: { enabled: } }, warmBase: }
  sandboxWarming: { replicas: , priority: }
frontend: { existingSecret: }
operator:
  injection: { image: {}, sandboxSidecars: { cpu: , memory: } }
  syncPeriod:
  preflight: { enabled: , image: {}, timeoutSeconds: }
sandboxMount: { enabled: , port: , createNamespace: }
`
	ServiceShape = `replicas:
image: {}
pdb: { enabled: , maxUnavailable: }
autoscaling: { enabled: , minReplicas: , maxReplicas: , targetCPUUtilizationPercentage: }
`
)

// needed are the paths of both.
var needed = sync.OnceValue(func() []fields.Path {
	out := paths(Shape, "")
	for _, service := range Services() {
		out = append(out, paths(ServiceShape, fields.Path(service))...)
	}
	return append(out, "global.trustDomain", "frontendHost")
})

func given(p fields.Path) bool { return slices.Contains(needed(), p) }

func paths(text string, at fields.Path) []fields.Path {
	docs, _ := source.Parse(source.NewFile("shape", text), source.DefaultLimits)
	var out []fields.Path
	var walk func(*source.Node, fields.Path)
	walk = func(n *source.Node, at fields.Path) {
		for _, f := range n.Fields {
			out = append(out, at.Child(f.Key.Value))
			walk(f.Value, at.Child(f.Key.Value))
		}
	}
	walk(docs[0], at)
	return out
}

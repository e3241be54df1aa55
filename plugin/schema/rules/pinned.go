package rules

import (
	"sync"

	"github.com/runkora/kora/internal/source"
)

// Pinned are the settings that other objects of the release follow as well, as
// kora.pinned of the chart's templates has it. configOverrides may only repeat them
// (R23). How to read it:
//
//   - a number is fixed in the chart; a text is the value to set instead;
//   - a text with = is fixed as well, but for frontendHost in braces;
//   - one text in a list is a list or a map, of whose items with a name that counts;
//     with =, and of several texts, it is the list of them;
//   - after if stands what must be set, without which the setting is empty;
//   - by quantity: 1Gi repeats 1024Mi;
//   - or nothing: it may be empty, but in the operator, which makes objects by it.
const Pinned = `internal/agents: { port: 8080, imagePullSecrets: [global.imagePullSecrets], manifestPatches: "=/etc/kora/manifest-patches if agents.manifestPatches", sandboxMount: { enabled: sandboxMount.enabled, port: sandboxMount.port }, sidecars: { cpu: operator.injection.sandboxSidecars.cpu by quantity, memory: operator.injection.sandboxSidecars.memory by quantity } }
internal/egress: { port: 8443, policyURL: "=http://kora-policy:8080", registryNamespace: global.systemNamespace }
internal/frontend: { port: 3000, url: "=https://{frontendHost}", apiURL: "=https://api.{frontendHost}", themeFile: "=/etc/kora/theme/theme.yaml if theme.document" }
internal/inference: { port: 8080, policyURL: "=http://kora-policy:8080", registryNamespace: global.systemNamespace }
internal/mcp: { port: 8080, policyURL: "=http://kora-policy:8080", publicURL: "=https://api.{frontendHost}/mcp", registryNamespace: global.systemNamespace }
internal/operator: { ports: { webhooks: 9443, probes: 8081, metrics: 8082 }, systemNamespace: global.systemNamespace, imagePullSecrets: [global.imagePullSecrets], platformSecrets: [config.platformSecretName, frontend.existingSecret], leaderElection: { name: "=kora-operator" }, spireClassName: spire.className, collectorNamespace: global.observability.collectorNamespace, networkPolicy: networkPolicy.enabled, preflight: operator.preflight.enabled, sandboxMount: { enabled: sandboxMount.enabled, port: sandboxMount.port }, sandboxImages: { registryPorts: [agents.sandboxImages.registryPorts], registryMirrors: [agents.sandboxImages.registryMirrors] }, sidecars: { cpu: operator.injection.sandboxSidecars.cpu by quantity, memory: operator.injection.sandboxSidecars.memory by quantity }, installation: { frontendHost: frontendHost, storageClassName: agents.workspace.storageClassName, secrets: { platform: config.platformSecretName, frontend: frontend.existingSecret, redisCA: config.redis.tls.caSecret if config.redis.tls.enabled, gateway: gateway.tls.credentialName if gateway.create and gateway.tls.enabled }, database: { host: config.db.host, port: config.db.port, name: config.db.name, user: config.db.user, sslMode: global.postgresSSLMode }, redis: { host: config.redis.host, port: config.redis.port, tls: config.redis.tls.enabled } } }
internal/platform/identity: { trustDomain: global.trustDomain, issuer: "=https://api.{frontendHost}", audiences: ["=https://api.{frontendHost}"] }
internal/platform/mesh: { revision: istio.revision, outboundTrafficPolicy: istio.outboundTrafficPolicy }
internal/platform/observability: { otlpEndpoint: global.observability.otlpEndpoint or nothing }
internal/platform/postgres: { host: config.db.host, port: config.db.port, name: config.db.name, user: config.db.user, sslMode: global.postgresSSLMode }
internal/platform/redis: { host: config.redis.host, port: config.redis.port, tls: { enabled: config.redis.tls.enabled, caFile: "=/etc/kora/redis-ca/ca.crt if config.redis.tls.enabled and config.redis.tls.caSecret" } }
internal/policy: { port: 8080, systemNamespace: global.systemNamespace }
internal/triggers: { port: 8080, agentsURL: "=http://kora-agents:8080" }
`

var pinned = sync.OnceValue(func() *source.Node {
	docs, _ := source.Parse(source.NewFile("pinned", Pinned), source.DefaultLimits)
	return docs[0]
})

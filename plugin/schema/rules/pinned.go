package rules

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/theme"
)

// Pinned are the settings that other objects of the release follow as well, as
// kora.pinned of the chart's templates has it: a number is fixed in the chart, a
// text is the value to set instead, and one in a list is a list or a map. A text with
// = is fixed as well, but for frontendHost in braces; after if stands what must be
// set, without which the setting is empty. configOverrides may only repeat them.
const Pinned = `internal/agents: { port: 8080, manifestPatches: agents.manifestPatches, sandboxMount: { enabled: sandboxMount.enabled, port: sandboxMount.port }, sidecars: { cpu: operator.injection.sandboxSidecars.cpu, memory: operator.injection.sandboxSidecars.memory } }
internal/egress: { port: 8443, policyURL: "=http://kora-policy:8080", registryNamespace: global.systemNamespace }
internal/frontend: { port: 3000, url: "=https://{frontendHost}", apiURL: "=https://api.{frontendHost}", themeFile: theme.document }
internal/inference: { port: 8080, policyURL: "=http://kora-policy:8080", registryNamespace: global.systemNamespace }
internal/mcp: { port: 8080, policyURL: "=http://kora-policy:8080", publicURL: "=https://api.{frontendHost}/mcp", registryNamespace: global.systemNamespace }
internal/operator: { ports: { webhooks: 9443, probes: 8081, metrics: 8082 }, systemNamespace: global.systemNamespace, leaderElection: { name: "=kora-operator" }, spireClassName: spire.className, collectorNamespace: global.observability.collectorNamespace, networkPolicy: networkPolicy.enabled, preflight: operator.preflight.enabled, sandboxMount: { enabled: sandboxMount.enabled, port: sandboxMount.port }, sandboxImages: { registryPorts: [agents.sandboxImages.registryPorts], registryMirrors: [agents.sandboxImages.registryMirrors] }, sidecars: { cpu: operator.injection.sandboxSidecars.cpu, memory: operator.injection.sandboxSidecars.memory }, installation: { frontendHost: frontendHost, secrets: { platform: config.platformSecretName, frontend: frontend.existingSecret, redisCA: config.redis.tls.caSecret if config.redis.tls.enabled, gateway: gateway.tls.credentialName if gateway.create and gateway.tls.enabled }, database: { host: config.db.host, port: config.db.port, name: config.db.name, user: config.db.user, sslMode: global.postgresSSLMode }, redis: { host: config.redis.host, port: config.redis.port, tls: config.redis.tls.enabled } } }
internal/platform/identity: { trustDomain: global.trustDomain, issuer: "=https://api.{frontendHost}" }
internal/platform/mesh: { revision: istio.revision, outboundTrafficPolicy: istio.outboundTrafficPolicy }
internal/platform/observability: { otlpEndpoint: global.observability.otlpEndpoint }
internal/platform/postgres: { host: config.db.host, port: config.db.port, name: config.db.name, user: config.db.user, sslMode: global.postgresSSLMode }
internal/platform/redis: { host: config.redis.host, port: config.redis.port, tls: { enabled: config.redis.tls.enabled, caFile: "=/etc/kora/redis-ca/ca.crt if config.redis.tls.enabled and config.redis.tls.caSecret" } }
internal/policy: { port: 8080, systemNamespace: global.systemNamespace }
internal/triggers: { port: 8080, agentsURL: "=http://kora-agents:8080" }
`

var pinned = sync.OnceValue(func() *source.Node {
	docs, _ := source.Parse(source.NewFile("pinned", Pinned), source.DefaultLimits)
	return docs[0]
})

// overrides holds a service's configOverrides to what the rest of the release is
// made of (R23).
func (j *judge) overrides(service string) {
	at := fields.Path(service).Child("configOverrides")
	for _, module := range entries(j.tree.Get(service, "configOverrides")) {
		below := at.Child(module.Key.Value)
		j.pinned(pinned().Get(module.Key.Value), module.Value, below)
		if module.Key.Value == "internal/operator" {
			j.leader(module.Value.Get("leaderElection").Get("enabled"), below.Child("leaderElection").Child("enabled"))
			j.collectors(module.Value.Get("collectorCIDRs"), below.Child("collectorCIDRs"))
		}
		if module.Key.Value == "internal/platform/branding" {
			j.productName(module.Value.Get("productName"), below.Child("productName"))
		}
	}
}

// pinned compares one level of settings with the pinned ones.
func (j *judge) pinned(known, given *source.Node, at fields.Path) {
	for _, f := range entries(given) {
		pin := known.Get(f.Key.Value)
		switch {
		case pin == nil || f.Value.Null():
		case pin.Kind == source.Sequence:
			value := pin.Items[0].Value
			if f.Value.Kind != source.Scalar && inJSON(f.Value) != inJSON(j.all.Get(strings.Split(value, ".")...)) {
				j.contradicts(f.Value, at.Child(f.Key.Value), value+", by which other objects are made", "set "+value+" instead")
			}
		case pin.Kind == source.Mapping:
			j.pinned(pin, f.Value, at.Child(f.Key.Value))
		case pin.Tag == "!!int":
			if f.Value.Kind == source.Scalar && plain(f.Value) != pin.Value {
				j.contradicts(f.Value, at.Child(f.Key.Value), "the ports of the pod, its Service and its probes, which have "+pin.Value, "remove it")
			}
		default:
			j.follows(pin.Value, f.Value, at.Child(f.Key.Value))
		}
	}
}

// plain is a value as the chart's templates write it, empty where there is none.
func plain(n *source.Node) string {
	if n.Null() {
		return ""
	}
	return fmt.Sprint(n.Any())
}

func inJSON(n *source.Node) string {
	if n.Null() {
		return ""
	}
	text, err := json.Marshal(n.Any())
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func (j *judge) contradicts(n *source.Node, at fields.Path, what, fix string) {
	f := n.Pos.Fault(faults.Contradiction, "it contradicts "+what)
	f.Field, f.Found, f.Fix = string(at), fmt.Sprintf("%.80q", n.Value), fix
	if n.Kind != source.Scalar {
		f.Found = fmt.Sprintf("%.80s", inJSON(n))
	}
	j.refuse(f)
}

// productName is held to the theme's rule (R32): the services write it into texts.
func (j *judge) productName(n *source.Node, at fields.Path) {
	if n == nil || n.Kind != source.Scalar || n.Tag != "!!str" {
		return
	}
	for _, wrong := range theme.CheckName(n.Value) {
		f := n.Pos.Fault(faults.ThemeName, wrong.Message)
		f.Field, f.Found, f.Expected, f.Fix = string(at), wrong.Found, wrong.Expected, wrong.Fix
		j.refuse(f)
	}
}

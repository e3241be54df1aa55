{{/*
kora.pinned are the settings that other objects of the release follow as well.
configOverrides may only repeat them (R23). A number is fixed in the chart; a text is
the value to set instead. A text with = is fixed as well, but for frontendHost in
braces. One text in a list is a list or a map, of whose items with a name that counts;
with =, and of several texts, it is the list of them. After if stands what must be
set, without which the setting is empty. By quantity, 1Gi repeats 1024Mi. Or nothing:
it may be empty, but in the operator, which makes objects by it. The plugin has the
same, and a test compares the two.
*/}}
{{- define "kora.pinned" -}}
internal/agents: { port: 8080, imagePullSecrets: [global.imagePullSecrets], manifestPatches: "=/etc/kora/manifest-patches if agents.manifestPatches", sandboxMount: { enabled: sandboxMount.enabled, port: sandboxMount.port }, sidecars: { cpu: operator.injection.sandboxSidecars.cpu by quantity, memory: operator.injection.sandboxSidecars.memory by quantity } }
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
{{- end }}

{{/* kora.check.pinned compares one level of settings: (dict "root" $ "service" KEY "path" PATH "known" PINNED "given" SETTINGS). */}}
{{- define "kora.check.pinned" -}}
{{- range $key, $value := kindIs "map" .given | ternary .given dict }}
{{- $pin := index $.known $key }}
{{- $path := include "kora.below" (list $.path $key) }}
{{- $many := or (kindIs "map" $value) (kindIs "slice" $value) }}
{{- if kindIs "map" $pin }}
{{- include "kora.check.pinned" (dict "root" $.root "service" $.service "path" $path "known" $pin "given" $value) }}
{{- else if kindIs "slice" $pin }}
{{- $is := include "kora.pinList" (dict "root" $.root "pins" $pin) | fromJson }}
{{- if and $many (ne (toJson $value) $is.want) (or $is.want $value) }}
{{ $path }}: it contradicts {{ $is.of }}, by which other objects are made: set {{ $is.of }} instead
{{- end }}
{{- else if or (kindIs "invalid" $pin) (kindIs "invalid" $value) $many }}
{{- else if not (kindIs "string" $pin) }}
{{- if ne (toString $pin) (toString $value) }}
{{ $path }}: it contradicts the ports of the pod, its Service and its probes, which have {{ $pin }}: remove it
{{- end }}
{{- else }}
{{- $is := include "kora.pin" (dict "root" $.root "pin" $pin) | fromJson }}
{{- if and (kindIs "bool" $value) (not (has $is.want (list "true" "false"))) }}
{{- else if eq (toString $value) $is.want }}
{{- else if and $is.quantity (eq (include "kora.milli" $value) (include "kora.milli" $is.want)) }}
{{- else if and $is.orNothing (eq (toString $value) "") (ne $.service "operator") }}
{{- else if $is.of }}
{{ $path }}: it contradicts {{ $is.of }}, by which other objects are made: set {{ $is.of }} instead
{{- else }}
{{ $path }}: it contradicts other objects of the release, which have {{ $is.want }}: remove it
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* kora.check.leader: without a Lease two operators act at once, of one replica too, as an old pod and its successor do at each rollout (R23, R50). */}}
{{- define "kora.check.leader" -}}
{{- $settings := get (.Values.operator.configOverrides | default dict) "internal/operator" }}
{{- $election := kindIs "map" $settings | ternary (get (kindIs "map" $settings | ternary $settings dict) "leaderElection") dict }}
{{- if kindIs "map" $election }}
{{- if eq (get $election "enabled" | toString) "false" }}
operator.configOverrides["internal/operator"].leaderElection.enabled: it contradicts the operator's rollouts, in which an old pod and a new one would act at once: remove it
{{- end }}
{{- end }}
{{- end }}

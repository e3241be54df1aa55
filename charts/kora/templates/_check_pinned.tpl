{{/*
kora.pinned are the settings that other objects of the release follow as well: a
number is fixed in the chart, a text is the value to set instead, and one in a list
is a list or a map. configOverrides may only repeat them (R23). The plugin has the same, and a test compares the two.
*/}}
{{- define "kora.pinned" -}}
internal/agents: { port: 8080, manifestPatches: agents.manifestPatches, sandboxMount: { enabled: sandboxMount.enabled, port: sandboxMount.port }, sidecars: { cpu: operator.injection.sandboxSidecars.cpu, memory: operator.injection.sandboxSidecars.memory } }
internal/egress: { port: 8443, registryNamespace: global.systemNamespace }
internal/frontend: { port: 3000, themeFile: theme.document }
internal/inference: { port: 8080, registryNamespace: global.systemNamespace }
internal/mcp: { port: 8080, registryNamespace: global.systemNamespace }
internal/operator: { ports: { webhooks: 9443, probes: 8081, metrics: 8082 }, systemNamespace: global.systemNamespace, spireClassName: spire.className, collectorNamespace: global.observability.collectorNamespace, networkPolicy: networkPolicy.enabled, sandboxMount: { enabled: sandboxMount.enabled, port: sandboxMount.port }, sandboxImages: { registryPorts: [agents.sandboxImages.registryPorts], registryMirrors: [agents.sandboxImages.registryMirrors] }, sidecars: { cpu: operator.injection.sandboxSidecars.cpu, memory: operator.injection.sandboxSidecars.memory }, installation: { frontendHost: frontendHost, secrets: { platform: config.platformSecretName, frontend: frontend.existingSecret }, database: { host: config.db.host, port: config.db.port, name: config.db.name, user: config.db.user, sslMode: global.postgresSSLMode }, redis: { host: config.redis.host, port: config.redis.port, tls: config.redis.tls.enabled } } }
internal/platform/identity: { trustDomain: global.trustDomain }
internal/platform/mesh: { revision: istio.revision, outboundTrafficPolicy: istio.outboundTrafficPolicy }
internal/platform/observability: { otlpEndpoint: global.observability.otlpEndpoint }
internal/platform/postgres: { host: config.db.host, port: config.db.port, name: config.db.name, user: config.db.user, sslMode: global.postgresSSLMode }
internal/platform/redis: { host: config.redis.host, port: config.redis.port, tls: { enabled: config.redis.tls.enabled } }
internal/policy: { port: 8080, systemNamespace: global.systemNamespace }
internal/triggers: { port: 8080 }
{{- end }}

{{/* kora.check.pinned compares one level of settings: (dict "root" $ "path" PATH "known" PINNED "given" SETTINGS). */}}
{{- define "kora.check.pinned" -}}
{{- range $key, $value := kindIs "map" .given | ternary .given dict }}
{{- $pin := index $.known $key }}
{{- $path := include "kora.below" (list $.path $key) }}
{{- if kindIs "map" $pin }}
{{- include "kora.check.pinned" (dict "root" $.root "path" $path "known" $pin "given" $value) }}
{{- else if kindIs "slice" $pin }}
{{- $pin = first $pin }}
{{- if ne (toJson $value) (include "kora.value" (dict "in" $.root.Values "steps" (splitList "." $pin))) }}
{{ $path }}: it contradicts {{ $pin }}, by which other objects are made: set {{ $pin }} instead
{{- end }}
{{- else if or (kindIs "invalid" $pin) (kindIs "invalid" $value) (kindIs "map" $value) (kindIs "slice" $value) }}
{{- else if not (kindIs "string" $pin) }}
{{- if ne (toString $pin) (toString $value) }}
{{ $path }}: it contradicts the ports of the pod, its Service and its probes, which have {{ $pin }}: remove it
{{- end }}
{{- else if and (kindIs "bool" $value) (not (has (include "kora.value" (dict "in" $.root.Values "steps" (splitList "." $pin))) (list "true" "false"))) }}
{{- else if ne (toString $value) (include "kora.value" (dict "in" $.root.Values "steps" (splitList "." $pin))) }}
{{ $path }}: it contradicts {{ $pin }}, by which other objects are made: set {{ $pin }} instead
{{- end }}
{{- end }}
{{- end }}

{{/* kora.value is a value as text, empty where there is none: (dict "in" MAP "steps" LIST). */}}
{{- define "kora.value" -}}
{{- $below := index .in (first .steps) }}
{{- if and (rest .steps) (kindIs "map" $below) }}
{{- include "kora.value" (dict "in" $below "steps" (rest .steps)) }}
{{- else if or (kindIs "map" $below) (kindIs "slice" $below) }}
{{- toJson $below }}
{{- else if not (kindIs "invalid" $below) }}
{{- $below }}
{{- end }}
{{- end }}

{{/*
kora.pinned are the settings that other objects of the release follow as well: a
number is fixed in the chart, a text is the value to set instead, and one in a list
is a list or a map. A text with = is fixed as well, but for frontendHost in braces;
after if stands what must be set, without which the setting is empty. configOverrides may only repeat them (R23). The plugin has the same, and a test compares the two.
*/}}
{{- define "kora.pinned" -}}
internal/agents: { port: 8080, manifestPatches: agents.manifestPatches, sandboxMount: { enabled: sandboxMount.enabled, port: sandboxMount.port }, sidecars: { cpu: operator.injection.sandboxSidecars.cpu, memory: operator.injection.sandboxSidecars.memory } }
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
{{- else }}
{{- $is := include "kora.pin" (dict "in" $.root.Values "pin" $pin) | fromJson }}
{{- if and (kindIs "bool" $value) (not (has $is.want (list "true" "false"))) }}
{{- else if eq (toString $value) $is.want }}
{{- else if $is.of }}
{{ $path }}: it contradicts {{ $is.of }}, by which other objects are made: set {{ $is.of }} instead
{{- else }}
{{ $path }}: it contradicts other objects of the release, which have {{ $is.want }}: remove it
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/*
kora.pin reads a text of kora.pinned: what a setting must be, and the value that it
follows, empty where it is fixed: (dict "in" VALUES "pin" TEXT). A JSON map.
*/}}
{{- define "kora.pin" -}}
{{- $parts := splitList " if " .pin }}
{{- $of := first $parts }}
{{- $want := trimPrefix "=" $of | replace "{frontendHost}" (toString .in.frontendHost) }}
{{- if not (hasPrefix "=" $of) }}
{{- $want = include "kora.value" (dict "in" .in "steps" (splitList "." $of)) }}
{{- else }}
{{- $of = contains "{frontendHost}" $of | ternary "frontendHost" "" }}
{{- end }}
{{- range rest $parts }}
{{- range splitList " and " . }}
{{- if has (include "kora.value" (dict "in" $.in "steps" (splitList "." .))) (list "" "false") }}
{{- $want = "" }}
{{- end }}
{{- if hasPrefix "=" $.pin }}
{{- $of = . }}
{{- end }}
{{- end }}
{{- end }}
{{- dict "of" $of "want" $want | toJson }}
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

{{/*
kora.modules holds every config module with its settings (R23). The keys that
stand here are the ones there are: configOverrides may set no other, and the
schema lists the same.
*/}}
{{- define "kora.modules" -}}
{{- $v := .Values }}
{{- $namespace := include "kora.namespace" . }}
{{- $issuer := printf "https://%s" (include "kora.apiHost" .) }}
internal/platform/observability:
  logFormat: {{ $v.global.logFormat | quote }}
  logLevel: info
  otlpEndpoint: {{ $v.global.observability.otlpEndpoint | default "" | quote }}
  samplingRate: {{ $v.global.observability.samplingRate | toString | quote }}
internal/platform/postgres:
  host: {{ $v.config.db.host | quote }}
  port: {{ int $v.config.db.port }}
  name: {{ $v.config.db.name | quote }}
  user: {{ $v.config.db.user | quote }}
  sslMode: {{ $v.global.postgresSSLMode | quote }}
  maxConnections: {{ int $v.config.db.maxConnections }}
internal/platform/redis:
  host: {{ $v.config.redis.host | quote }}
  port: {{ int $v.config.redis.port }}
  tls:
    enabled: {{ toJson $v.config.redis.tls.enabled }}
    caFile: {{ eq (include "kora.redisCA" .) "true" | ternary "/etc/kora/redis-ca/ca.crt" "" | quote }}
internal/platform/identity:
  trustDomain: {{ $v.global.trustDomain | quote }}
  issuer: {{ $issuer | quote }}
  audiences: [{{ $issuer | quote }}]
internal/platform/branding:
  productName: {{ include "kora.productName" . | quote }}
internal/platform/mesh:
  revision: {{ $v.istio.revision | default "" | quote }}
  outboundTrafficPolicy: {{ $v.istio.outboundTrafficPolicy | quote }}
internal/frontend:
  port: 3000
  url: {{ printf "https://%s" $v.frontendHost | quote }}
  apiURL: {{ $issuer | quote }}
  themeFile: {{ empty $v.theme.document | ternary "" "/etc/kora/theme/theme.yaml" | quote }}
internal/policy:
  port: 8080
  systemNamespace: {{ $namespace | quote }}
internal/inference:
  port: 8080
  policyURL: http://kora-policy:8080
  registryNamespace: {{ $namespace | quote }}
internal/mcp:
  port: 8080
  publicURL: {{ printf "%s/mcp" $issuer | quote }}
  policyURL: http://kora-policy:8080
  registryNamespace: {{ $namespace | quote }}
internal/triggers:
  port: 8080
  agentsURL: http://kora-agents:8080
internal/egress:
  port: 8443
  policyURL: http://kora-policy:8080
  registryNamespace: {{ $namespace | quote }}
internal/agents:
  {{- include "kora.module.agents" . | nindent 2 }}
internal/operator:
  {{- include "kora.module.operator" . | nindent 2 }}
{{- end }}

{{/* kora-agents reads the values of agent types as they stand, and merges them itself (R4). */}}
{{- define "kora.module.agents" -}}
{{- $v := .Values -}}
port: 8080
images:
  sessionManager: {{ include "kora.sessionManagerImage" . | quote }}
  sandbox: {{ include "kora.sandboxImage" . | quote }}
imagePullSecrets: {{ include "kora.pullSecretNames" . }}
workloads:
  {{- include "kora.yaml" $v.agents.workloads | nindent 2 }}
workspace:
  {{- include "kora.yaml" $v.agents.workspace | nindent 2 }}
environments:
  {{- include "kora.yaml" $v.agents.environments | nindent 2 }}
sidecars:
  {{- include "kora.yaml" $v.operator.injection.sandboxSidecars | nindent 2 }}
sandboxMount:
  enabled: {{ toJson $v.sandboxMount.enabled }}
  port: {{ int $v.sandboxMount.port }}
manifestPatches: /etc/kora/manifest-patches
{{- end }}

{{/* kora.serviceSecrets are the Secrets that services get variables of, extraEnv's too, as a JSON list: no tenant may name one (R22, R50). */}}
{{- define "kora.serviceSecrets" -}}
{{- $names := list .Values.config.platformSecretName .Values.frontend.existingSecret }}
{{- range $key := keys (include "kora.services" . | fromYaml) | sortAlpha }}
{{- range (index $.Values $key).extraEnv }}
{{- $names = append $names (dig "valueFrom" "secretKeyRef" "name" "" .) }}
{{- end }}
{{- end }}
{{- $names | compact | uniq | toJson }}
{{- end }}

{{- define "kora.module.operator" -}}
{{- $v := .Values -}}
ports: { webhooks: 9443, probes: 8081, metrics: 8082 }
systemNamespace: {{ include "kora.namespace" . | quote }}
syncPeriod: {{ $v.operator.syncPeriod | quote }}
leaderElection: { enabled: true, name: kora-operator }
imagePullSecrets: {{ include "kora.pullSecretNames" . }}
platformSecrets: {{ include "kora.serviceSecrets" . }}
spireClassName: {{ $v.spire.className | quote }}
collectorNamespace: {{ $v.global.observability.collectorNamespace | default "" | quote }}
collectorCIDRs: {{ include "kora.collectorCIDRs" . }}
networkPolicy: {{ toJson $v.networkPolicy.enabled }}
preflight: {{ toJson $v.operator.preflight.enabled }}
installation:
  {{- include "kora.module.installation" . | nindent 2 }}
sidecars:
  {{- include "kora.yaml" $v.operator.injection.sandboxSidecars | nindent 2 }}
enforcer: {{ include "kora.image" (dict "root" . "workload" "kora-enforcer" "image" $v.operator.injection.image) | quote }}
sandboxMount:
  enabled: {{ toJson $v.sandboxMount.enabled }}
  port: {{ int $v.sandboxMount.port }}
sandboxPlacement:
  {{- $sandbox := include "kora.workload" (dict "root" . "name" "sandbox") | fromYaml }}
  {{- include "kora.yaml" (pick $sandbox "nodeSelector" "tolerations" "affinity") | nindent 2 }}
sandboxImages:
  base: { image: {{ include "kora.sandboxImage" . | quote }}, warm: {{ toJson $v.agents.sandboxImages.warmBase }} }
  bundled:
    {{- range $name, $image := $v.agents.sandboxImages.bundled }}
    {{ $name }}:
      enabled: {{ toJson $image.enabled }}
      warm: {{ $image.warm | default false | toJson }}
      image: {{ $image.image | default (include "kora.image" (dict "root" $ "workload" (printf "kora-sandbox-%s" $name))) | quote }}
    {{- end }}
  registryPorts: {{ $v.agents.sandboxImages.registryPorts | default list | toJson }}
  registryMirrors: {{ $v.agents.sandboxImages.registryMirrors | default dict | toJson }}
{{- end }}

{{/* kora.module.installation is what only preflight looks at, in the operator as in the hook Job (R55). */}}
{{- define "kora.module.installation" -}}
{{- $v := .Values -}}
frontendHost: {{ $v.frontendHost | quote }}
{{- $workspace := include "kora.overridden" (dict "root" . "name" "workspace") | fromYaml | default $v.agents.workspace }}
storageClassName: {{ $workspace.storageClassName | default "" | quote }}
secrets:
  platform: {{ $v.config.platformSecretName | quote }}
  frontend: {{ $v.frontend.existingSecret | quote }}
  redisCA: {{ eq (include "kora.redisCA" .) "true" | ternary $v.config.redis.tls.caSecret "" | quote }}
  gateway: {{ and $v.gateway.create $v.gateway.tls.enabled | ternary $v.gateway.tls.credentialName "" | quote }}
database:
  host: {{ $v.config.db.host | quote }}
  port: {{ int $v.config.db.port }}
  name: {{ $v.config.db.name | quote }}
  user: {{ $v.config.db.user | quote }}
  sslMode: {{ $v.global.postgresSSLMode | quote }}
redis:
  host: {{ $v.config.redis.host | quote }}
  port: {{ int $v.config.redis.port }}
  tls: {{ toJson $v.config.redis.tls.enabled }}
sessionManagerPlacement:
  {{- $sessions := include "kora.workload" (dict "root" . "name" "sessionManager") | fromYaml }}
  {{- include "kora.yaml" (pick $sessions "nodeSelector" "tolerations" "affinity") | nindent 2 }}
{{- end }}

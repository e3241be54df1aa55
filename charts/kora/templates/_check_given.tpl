{{/*
kora.shape names the values that are never nothing: blocks, numbers, switches and
names. A key with nothing behind it in a values file is a null, by which Helm
takes the default away; that would, say, turn the network policies off. Where
nothing is a value, as for an empty text, it is not here.
*/}}
{{- define "kora.shape" -}}
global: { imageRegistry: , logFormat: , postgresSSLMode: , observability: { samplingRate: } }
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
{{- end }}

{{/* kora.serviceShape is what each service's block has besides. */}}
{{- define "kora.serviceShape" -}}
replicas:
image: {}
pdb: { enabled: , maxUnavailable: }
autoscaling: { enabled: , minReplicas: , maxReplicas: , targetCPUUtilizationPercentage: }
{{- end }}

{{- define "kora.check.given" -}}
{{- $shape := include "kora.shape" . | fromYaml }}
{{- range $key, $_ := include "kora.services" . | fromYaml }}
{{- $_ := set $shape $key (merge (get $shape $key | default dict) (include "kora.serviceShape" $ | fromYaml)) }}
{{- end }}
{{- include "kora.check.shape" (dict "path" "" "shape" $shape "given" .Values) }}
{{- end }}

{{- define "kora.check.shape" -}}
{{- range $key, $below := .shape }}
{{- $path := printf "%s.%s" $.path $key | trimPrefix "." }}
{{- $value := get $.given $key }}
{{- if kindIs "invalid" (index $.given $key) }}
{{ $path }}: nothing is behind it: remove the key to have its default, or write a value
{{- else if and (kindIs "map" $below) (not (kindIs "map" $value)) }}
{{ $path }}: the value is of the wrong type: a map of values
{{- else if kindIs "map" $below }}
{{- include "kora.check.shape" (dict "path" $path "shape" $below "given" $value) }}
{{- end }}
{{- end }}
{{- end }}

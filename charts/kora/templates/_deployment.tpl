{{/*
kora.podAnnotations are the values' own under kora's. A checksum rolls exactly
the pods that read what changed (R18, R23, R36).
*/}}
{{- define "kora.podAnnotations" -}}
{{- $annotations := deepCopy (.values.podAnnotations | default dict) }}
{{- $own := include "kora.meshAnnotations" .root | fromYaml }}
{{- $_ := set $own "checksum/config" (include "kora.config" . | sha256sum) }}
{{- if eq .key "agents" }}
{{- $_ := set $own "checksum/manifest-patches" (include "kora.manifestPatches" .root | sha256sum) }}
{{- end }}
{{- if and (eq .key "frontend") .root.Values.theme.document }}
{{- $_ := set $own "checksum/theme" (sha256sum .root.Values.theme.document) }}
{{- end }}
{{- if eq .key "operator" }}
{{- /* The API server and the kubelet call these ports without a mesh identity. */}}
{{- $_ := set $own "traffic.sidecar.istio.io/excludeInboundPorts" "9443,8081" }}
{{- end }}
{{- include "kora.yaml" (mergeOverwrite $annotations $own) }}
{{- end }}

{{/* kora.manifestPatches are the entries that are patches: a null takes out one that earlier values set (R12). */}}
{{- define "kora.manifestPatches" -}}
{{- $patches := dict }}
{{- range $key, $entry := .Values.agents.manifestPatches }}
{{- if $entry }}{{ $_ := set $patches $key $entry }}{{ end }}
{{- end }}
{{- include "kora.yaml" $patches }}
{{- end }}

{{/* kora.initContainers: a theme is judged before the frontend starts (R36), by the release that the image is. */}}
{{- define "kora.initContainers" -}}
{{- if and (eq .key "frontend") .root.Values.theme.document }}
initContainers:
  - name: validate-theme
    image: {{ include "kora.image" (dict "root" .root "workload" "kora" "image" .root.Values.operator.preflight.image) | quote }}
    command: [kora, validate-theme]
    resources:
      requests: { cpu: 50m, memory: 64Mi }
      limits: { memory: 128Mi }
    {{- include "kora.containerSecurity" . | nindent 4 }}
    volumeMounts:
      - { name: theme, mountPath: /etc/kora/theme, readOnly: true }
{{- end }}
{{- end }}

{{/* kora.mounts and kora.volumes are what a service's container reads and writes. */}}
{{- define "kora.mounts" -}}
- { name: config, mountPath: /etc/kora/config, readOnly: true }
- { name: tmp, mountPath: /tmp }
{{- if eq .key "agents" }}
- { name: manifest-patches, mountPath: /etc/kora/manifest-patches, readOnly: true }
{{- end }}
{{- if and (eq .key "frontend") .root.Values.theme.document }}
- { name: theme, mountPath: /etc/kora/theme, readOnly: true }
{{- end }}
{{- if and (has "internal/platform/redis" .service.modules) (eq (include "kora.redisCA" .root) "true") }}
- { name: redis-ca, mountPath: /etc/kora/redis-ca, readOnly: true }
{{- end }}
{{- end }}
{{- define "kora.volumes" -}}
{{ include "kora.configVolume" (dict "name" .service.workload "modules" .service.modules) }}
- name: tmp
  emptyDir: { sizeLimit: 256Mi }
{{- if eq .key "agents" }}
- name: manifest-patches
  configMap: { name: kora-agents-manifest-patches }
{{- end }}
{{- if and (eq .key "frontend") .root.Values.theme.document }}
- name: theme
  configMap: { name: kora-frontend-theme }
{{- end }}
{{- if and (has "internal/platform/redis" .service.modules) (eq (include "kora.redisCA" .root) "true") }}
- name: redis-ca
  secret:
    secretName: {{ .root.Values.config.redis.tls.caSecret | quote }}
    items: [{ key: ca.crt, path: ca.crt }]
{{- end }}
{{- end }}

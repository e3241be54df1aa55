{{/*
kora.config is the service's modules with its configOverrides merged last, as a
map of module to settings: (dict "root" $ "key" VALUES-KEY "service" ENTRY
"modules" ALL). The caller reads both tables once for all services, because Helm
keeps nothing of an include.
*/}}
{{- define "kora.config" -}}
{{- $all := .modules }}
{{- $overrides := (index .root.Values .key).configOverrides | default dict }}
{{- $merged := dict }}
{{- range .service.modules }}
{{- $_ := set $merged . (mergeOverwrite (deepCopy (index $all .)) (deepCopy (get $overrides . | default dict))) }}
{{- end }}
{{- include "kora.yaml" $merged }}
{{- end }}

{{/*
kora.overridden is a block of agents with what configOverrides set of it in the
module internal/agents merged last, as kora-agents gets it (R23): other objects of
the release are made of the same. Empty where nothing is set.
(dict "root" $ "name" BLOCK)
*/}}
{{- define "kora.overridden" -}}
{{- $over := get (.root.Values.agents.configOverrides | default dict) "internal/agents" }}
{{- if kindIs "map" $over }}
{{- if kindIs "map" (get $over .name) }}
{{- include "kora.yaml" (mergeOverwrite (deepCopy (index .root.Values.agents .name)) (deepCopy (get $over .name))) }}
{{- end }}
{{- end }}
{{- end }}

{{/* kora.told is the path of a value of agents by which it was given: there, or in configOverrides: (dict "root" $ "steps" LIST). */}}
{{- define "kora.told" -}}
{{- $at := get (.root.Values.agents.configOverrides | default dict) "internal/agents" }}
{{- $there := false }}
{{- range .steps }}
{{- $there = and (kindIs "map" $at) (hasKey (kindIs "map" $at | ternary $at dict) .) }}
{{- $at = get (kindIs "map" $at | ternary $at dict) . }}
{{- end }}
{{- $path := $there | ternary (include "kora.below" (list "agents.configOverrides" "internal/agents")) "agents" }}
{{- range .steps }}{{ $path = include "kora.below" (list $path .) }}{{ end }}
{{- $path }}
{{- end }}

{{/* kora.configFiles is the data of a ConfigMap: a ConfigMap's keys hold no slash, so a mount's items put it back. */}}
{{- define "kora.configFiles" -}}
{{- range $module, $settings := . }}
{{ $module | replace "/" "." }}.yaml: |
  {{- include "kora.yaml" $settings | nindent 2 }}
{{- end }}
{{- end }}

{{/* kora.configVolume mounts each module as <module>.yaml: (dict "name" CONFIGMAP "modules" LIST). */}}
{{- define "kora.configVolume" -}}
- name: config
  configMap:
    name: {{ .name | quote }}
    items:
      {{- range .modules }}
      - { key: {{ printf "%s.yaml" (. | replace "/" ".") | quote }}, path: {{ printf "%s.yaml" . | quote }} }
      {{- end }}
{{- end }}

{{/* kora.redisCA tells whether a private CA of Redis is mounted. */}}
{{- define "kora.redisCA" -}}
{{- and .Values.config.redis.tls.enabled (not (empty .Values.config.redis.tls.caSecret)) }}
{{- end }}

{{/* kora.productName is the theme's, for the services that write text (R35). */}}
{{- define "kora.productName" -}}
{{- $theme := .Values.theme.document | default "" | fromYaml }}
{{- get $theme "productName" | default "kora" }}
{{- end }}

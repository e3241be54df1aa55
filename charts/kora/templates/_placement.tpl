{{/*
kora.workload is agents.workloads.NAME over agents.workloads.common, as the
runtime merges them (R4): maps key by key, anything else whole where it is set.
(dict "root" $ "name" NAME)
*/}}
{{- define "kora.workload" -}}
{{- $blocks := include "kora.overridden" (dict "root" .root "name" "workloads") | fromYaml | default .root.Values.agents.workloads }}
{{- $common := $blocks.common }}
{{- $own := index $blocks .name }}
{{- $merged := dict }}
{{- range list "nodeSelector" "podLabels" "podAnnotations" }}
{{- /* Not by merge, to which an empty text is nothing: here it is a value, and wins. */}}
{{- $entries := dict }}
{{- range $block := list (get $common . | default dict) (get $own . | default dict) }}
{{- range $key, $value := $block }}{{ $_ := set $entries $key $value }}{{ end }}
{{- end }}
{{- $_ := set $merged . $entries }}
{{- end }}
{{- range list "tolerations" "affinity" "topologySpreadConstraints" "priorityClassName" }}
{{- $_ := set $merged . (get $own . | default (get $common .)) }}
{{- end }}
{{- include "kora.yaml" $merged }}
{{- end }}

{{/* kora.placement is the part of a pod spec that says where it runs: a map with nodeSelector, tolerations, affinity. */}}
{{- define "kora.placement" -}}
{{- with .nodeSelector }}
nodeSelector:
  {{- include "kora.yaml" . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- include "kora.yaml" . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- include "kora.yaml" . | nindent 2 }}
{{- end }}
{{- end }}

{{/* kora.spread keeps a service's pods apart, where there are nodes to choose from: (dict "app" NAME). */}}
{{- define "kora.spread" -}}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        app: {{ $.app | quote }}
    matchLabelKeys: [pod-template-hash]
  {{- end }}
{{- end }}

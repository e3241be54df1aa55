{{/*
What the operator's configOverrides say of nodes: where the pods of agents are, as it
takes them to be (R9). The values themselves are checked in _check_agents.tpl.
*/}}
{{- define "kora.operated" -}}
{{- $module := get (.root.Values.operator.configOverrides | default dict) "internal/operator" }}
{{- $over := kindIs "map" $module | ternary $module dict }}
{{- range .steps }}
{{- $over = get $over . }}
{{- $over = kindIs "map" $over | ternary $over dict }}
{{- end }}
{{- $placement := pick (include "kora.workload" (dict "root" .root "name" .name) | fromYaml) "nodeSelector" "affinity" }}
{{- include "kora.yaml" (mergeOverwrite $placement (pick $over "nodeSelector" "affinity" | deepCopy)) }}
{{- end }}

{{/* kora.placements are the settings that say so, by the workload: the sandbox's first. */}}
{{- define "kora.placements" -}}
- { name: sandbox, what: sandbox, steps: [sandboxPlacement] }
- { name: sessionManager, what: session-manager, steps: [installation, sessionManagerPlacement] }
{{- end }}

{{- define "kora.check.operated" -}}
{{- $module := get (.Values.operator.configOverrides | default dict) "internal/operator" }}
{{- $agents := dict }}
{{- $over := dict }}
{{- $at := "" }}
{{- if kindIs "map" $module }}
{{- range include "kora.placements" . | fromYamlArray }}
{{- $setting := $module }}
{{- range .steps }}{{ $setting = kindIs "map" $setting | ternary (get (kindIs "map" $setting | ternary $setting dict) .) dict }}{{ end }}
{{- $path := printf "operator.configOverrides[\"internal/operator\"].%s" (join "." .steps) }}
{{- $own := include "kora.workload" (dict "root" $ "name" .name) | fromYaml }}
{{- $operated := include "kora.operated" (dict "root" $ "name" .name "steps" .steps) | fromYaml }}
{{- $_ := set $agents .name (include "kora.terms" $own | fromJsonArray) }}
{{- $_ := set $over .name (include "kora.terms" $operated | fromJsonArray) }}
{{- $says := kindIs "map" $setting | ternary (or (get (kindIs "map" $setting | ternary $setting dict) "nodeSelector") (get (kindIs "map" $setting | ternary $setting dict) "affinity")) nil }}
{{- if $says }}
{{- $at = $at | default $path }}
{{- if and (eq (include "kora.nowhere" (get $over .name)) "true") (ne (include "kora.nowhere" (get $agents .name)) "true") }}
{{ $path }}: no node can be admitted by the node selector and the required node affinity of the {{ .what }}: ask each label for one thing
{{- $at = "told" }}
{{- end }}
{{- end }}
{{- end }}
{{- $workspace := include "kora.overridden" (dict "root" . "name" "workspace") | fromYaml | default .Values.agents.workspace }}
{{- if and $at (ne $at "told") (not (has "ReadWriteMany" $workspace.accessModes)) }}
{{- $before := include "kora.split" (dict "admits" $agents.sessionManager "of" $agents.sandbox) }}
{{- if and (eq (include "kora.split" (dict "admits" $over.sessionManager "of" $over.sandbox)) "true") (ne $before "true") }}
{{ $at }}: the session-manager and the sandbox are placed apart over a workspace that is not ReadWriteMany: place both alike, or set agents.workspace.accessModes to [ReadWriteMany]
{{- end }}
{{- end }}
{{- end }}
{{- end }}

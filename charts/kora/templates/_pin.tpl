{{/*
kora.pin reads a text of kora.pinned: what a setting must be, and the value that it
follows, empty where it is fixed: (dict "root" $ "pin" TEXT). A JSON map.
*/}}
{{- define "kora.pin" -}}
{{- $parts := splitList " if " .pin }}
{{- $of := first $parts }}
{{- $quantity := hasSuffix " by quantity" $of }}
{{- $orNothing := hasSuffix " or nothing" $of }}
{{- $of = $of | trimSuffix " by quantity" | trimSuffix " or nothing" }}
{{- $want := trimPrefix "=" $of | replace "{frontendHost}" (toString .root.Values.frontendHost) }}
{{- if hasPrefix "agents.workspace." $of }}
{{- /* What kora-agents gets, with its own configOverrides. */}}
{{- $workspace := include "kora.overridden" (dict "root" .root "name" "workspace") | fromYaml | default .root.Values.agents.workspace }}
{{- $want = include "kora.value" (dict "in" $workspace "steps" (splitList "." $of | rest | rest)) }}
{{- $of = include "kora.told" (dict "root" .root "steps" (splitList "." $of | rest)) }}
{{- else if not (hasPrefix "=" $of) }}
{{- $want = include "kora.value" (dict "in" .root.Values "steps" (splitList "." $of)) }}
{{- else }}
{{- $of = contains "{frontendHost}" $of | ternary "frontendHost" "" }}
{{- end }}
{{- range rest $parts }}
{{- range splitList " and " . }}
{{- if has (include "kora.value" (dict "in" $.root.Values "steps" (splitList "." .))) (list "" "false") }}
{{- $want = "" }}
{{- end }}
{{- if hasPrefix "=" $.pin }}
{{- $of = . }}
{{- end }}
{{- end }}
{{- end }}
{{- dict "of" $of "want" $want "quantity" $quantity "orNothing" $orNothing | toJson }}
{{- end }}

{{/*
kora.pinList reads a list of texts of kora.pinned: what a list or a map must be, in
JSON, empty where there is none, and the values that it follows: (dict "root" $ "pins" LIST). A JSON map.
*/}}
{{- define "kora.pinList" -}}
{{- $want := "" }}
{{- $of := list }}
{{- if and (eq (len .pins) 1) (not (hasPrefix "=" (first .pins))) }}
{{- $of = .pins }}
{{- $want = include "kora.value" (dict "in" .root.Values "steps" (splitList "." (first .pins))) }}
{{- if hasPrefix "[" $want }}
{{- $all := list }}
{{- range fromJsonArray $want }}
{{- $all = append $all (kindIs "map" . | ternary (get (kindIs "map" . | ternary . dict) "name" | default .) .) }}
{{- end }}
{{- $want = toJson $all }}
{{- end }}
{{- else }}
{{- $all := list }}
{{- range .pins }}
{{- $is := include "kora.pin" (dict "root" $.root "pin" .) | fromJson }}
{{- $all = append $all $is.want }}
{{- $of = append $of $is.of }}
{{- end }}
{{- $want = toJson $all }}
{{- end }}
{{- dict "of" (join " and " $of) "want" $want | toJson }}
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

{{/*
kora.yaml writes a value as toYaml does, and the same one always the same (R35).
toYaml sorts numbers in keys by their size, and gives up the order where letters
follow: rack1b, rack3 and rack12 come out as they happen to lie in memory. It is
kept where no key has a digit; elsewhere each map is walked by the bytes of its keys.
*/}}
{{- define "kora.yaml" -}}
{{- if not (regexMatch "\\p{Nd}([^\"\\\\]|\\\\.)*\":" (toJson .)) }}
{{- toYaml . }}
{{- else if kindIs "map" . }}
{{- $all := . }}
{{- range $i, $key := keys . | sortAlpha }}
{{- $value := get $all $key }}
{{- if $i }}{{ "\n" }}{{ end }}
{{- if and $value (or (kindIs "map" $value) (kindIs "slice" $value)) }}
{{- dict $key nil | toYaml | trimSuffix " null" }}
{{- include "kora.yaml" $value | nindent (kindIs "map" $value | ternary 2 0) }}
{{- else }}
{{- dict $key $value | toYaml }}
{{- end }}
{{- end }}
{{- else }}
{{- range $i, $value := . }}
{{- if $i }}{{ "\n" }}{{ end }}
{{- if and $value (or (kindIs "map" $value) (kindIs "slice" $value)) }}
{{- include "kora.yaml" $value | indent 2 | trimPrefix "  " | print "- " }}
{{- else }}
{{- list $value | toYaml }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/*
The theme's essentials (R32, R34, R35), before any workload rolls; all of it is
judged by the validate-theme container. fromYaml gives a failure as the one key
Error.
*/}}
{{- define "kora.check.theme" -}}
{{- with .Values.theme.document }}
{{- $theme := fromYaml . }}
{{- if gt (len .) 65536 }}
theme.document: it has {{ len . }} bytes, and a theme has at most 65536
{{- else if and (hasKey $theme "Error") (eq (len $theme) 1) }}
theme.document: it is not YAML: {{ regexReplaceAll "\\s+" (toString $theme.Error) " " | trunc 300 }}
{{- else }}
{{- include "kora.check.themeVersion" (dict "root" $ "version" (get $theme "koraVersion") "given" (hasKey $theme "koraVersion")) }}
{{- if hasKey $theme "productName" }}
{{- include "kora.check.productName" $theme.productName }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "kora.check.themeVersion" -}}
{{- $major := regexFind "^[0-9]+" .root.Chart.AppVersion }}
{{- if not .given }}
theme.document: koraVersion is missing: write the release that the theme was written against, such as "{{ .root.Chart.AppVersion }}", in quotes
{{- else if not (kindIs "string" .version) }}
theme.document: koraVersion is no text: write it in quotes, with all three parts: koraVersion: "{{ .root.Chart.AppVersion }}"
{{- else if not (regexMatch "^(0|[1-9][0-9]*)[.](0|[1-9][0-9]*)[.](0|[1-9][0-9]*)$" .version) }}
theme.document: koraVersion {{ printf "%q" .version }} is not MAJOR.MINOR.PATCH: write the three numbers alone: no v, no pre-release, no leading zeros
{{- else if ne (regexFind "^[0-9]+" .version) $major }}
theme.document: the theme was written against kora {{ regexFind "^[0-9]+" .version }}, and this is kora {{ $major }}: reissue it for this major
{{- end }}
{{- end }}

{{- define "kora.check.productName" -}}
{{- if not (kindIs "string" .) }}
theme.document: productName is no text: write it in quotes
{{- else if not (and (regexMatch "^.{2,40}$" .) (regexMatch "^[\\p{L}\\p{Nd}][\\p{L}\\p{Nd}\\p{Mn}\\p{Mc}.&'+() -]*$" .) (not (contains "  " .))) }}
theme.document: productName {{ trunc 80 . | printf "%q" }} is outside its bounds: use 2 to 40 letters, digits, single spaces and - . & ' + ( ), starting with a letter or digit
{{- end }}
{{- end }}

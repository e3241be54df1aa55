{{/*
The theme's essentials (R32, R34, R35), before any workload rolls; all of it is
judged by the validate-theme container, in the same sentences. fromYaml gives a
failure as the one key Error.
*/}}
{{- define "kora.check.theme" -}}
{{- with .Values.theme.document }}
{{- $theme := fromYaml . }}
{{- if gt (len .) 65536 }}
theme.document: the text is too long: at most 65536 bytes
{{- else if not (regexMatch "(?m)^[ \\t]*[^#\\s]" (regexReplaceAll "(?m)^---[ \\t]*$" . "")) }}
theme.document: the theme is empty
{{- else if and (hasKey $theme "Error") (regexMatch "cannot unmarshal (array|string|number|bool)" (toString $theme.Error)) }}
theme.document: the theme is {{ get (dict "array" "a list" "string" "a text" "number" "a number" "bool" "a boolean") (regexFind "cannot unmarshal [a-z]+" (toString $theme.Error) | trimPrefix "cannot unmarshal ") }}, not a map
{{- else if and (hasKey $theme "Error") (eq (len $theme) 1) }}
theme.document: not YAML: {{ regexReplaceAll "^(error converting YAML to JSON: )?(yaml: )?(line [0-9]+: )?" (regexReplaceAll "\\s+" (toString $theme.Error) " ") "" | trunc 300 }}
{{- else }}
{{- /* A line --- behind the first line that says something, and something behind it. */}}
{{- $body := regexReplaceAll "^([ \\t]*(#[^\\n]*)?\\r?\\n|%[^\\n]*\\n)*(---([ \\t]*(#[^\\n]*)?)?\\r?\\n)?" . "" }}
{{- if regexMatch "(?m)^---([ \\t]+[^#\\s]|[ \\t]*(#[^\\n]*)?\\r?\\n([ \\t]*(#[^\\n]*)?\\r?\\n)*[ \\t]*[^#\\s-])" $body }}
theme.document: a second YAML document starts: one document
{{- end }}
{{- range $sign, $what := dict "*" "alias" "&" "anchor" }}
{{- if regexMatch (printf "(?m)^([ \\t]*|[^#'\"\\n]*[{,][ \\t]*)([A-Za-z0-9_.<-]+|\"[^\"\\n]*\"|'[^'\\n]*')[ \\t]*:[ \\t]+[%s][A-Za-z0-9_-]" $sign) $body }}
theme.document: the theme holds a YAML {{ $what }}
{{- end }}
{{- end }}
{{- if not (hasKey $theme "koraVersion") }}
theme.document: koraVersion is missing: add the line koraVersion: "{{ $.Chart.AppVersion }}"
{{- else if not (kindIs "string" $theme.koraVersion) }}
theme.document: {{ include "kora.check.notText" (list "koraVersion" $theme.koraVersion) }}
{{- else }}
{{- include "kora.check.themeVersion" (dict "root" $ "version" $theme.koraVersion) }}
{{- end }}
{{- if hasKey $theme "productName" }}
{{- if kindIs "string" $theme.productName }}
{{- include "kora.check.productName" (dict "path" "theme.document" "name" $theme.productName) }}
{{- else }}
theme.document: {{ include "kora.check.notText" (list "productName" $theme.productName) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* kora.check.notText says what stands where a text should: (list NAME VALUE). */}}
{{- define "kora.check.notText" -}}
{{- $name := first . }}{{ $value := last . }}
{{- if kindIs "invalid" $value }}{{ $name }} is empty
{{- else if kindIs "map" $value }}{{ $name }} is a map, not a text
{{- else if kindIs "slice" $value }}{{ $name }} is a list, not a text
{{- else }}{{ $name }} {{ $value }} is {{ kindIs "bool" $value | ternary "a boolean" "a number" }}, not a text
{{- end }}
{{- end }}

{{- define "kora.check.themeVersion" -}}
{{- $major := regexFind "^[0-9]+" .root.Chart.AppVersion }}
{{- if not (regexMatch "^(0|[1-9][0-9]*)[.](0|[1-9][0-9]*)[.](0|[1-9][0-9]*)$" .version) }}
theme.document: koraVersion is not MAJOR.MINOR.PATCH: write the three numbers alone: no v, no pre-release, no leading zeros
{{- else if ne (regexFind "^[0-9]+" .version) $major }}
theme.document: the theme was written against kora {{ regexFind "^[0-9]+" .version }}, and this is kora {{ $major }}: reissue the theme for this major: check it against the schema of kora {{ .root.Chart.AppVersion }}, then set koraVersion: "{{ .root.Chart.AppVersion }}"
{{- end }}
{{- end }}

{{/* kora.check.productName judges the name of the product: (dict "path" PATH "name" TEXT). */}}
{{- define "kora.check.productName" -}}
{{- $characters := regexFindAll "(?s)." .name -1 }}
{{- /* In normal form C a letter and its accent are one character: the most frequent ones. */}}
{{- if regexMatch "^([aeiouAEIOU][\\x{300}-\\x{304}\\x{308}]|[nN]\\x{303}|[cszCSZ]\\x{30c}|[cC]\\x{327}|[aA]\\x{30a}|[yY][\\x{301}\\x{308}])$" .name }}
{{- $characters = list .name }}
{{- end }}
{{- if or (lt (len $characters) 2) (gt (len $characters) 40) }}
{{ $.path }}: productName has {{ len $characters }} character{{ ne (len $characters) 1 | ternary "s" "" }}: use 2 to 40 characters
{{- end }}
{{- if and $characters (not (regexMatch "^[\\p{L}\\p{Nd}]" .name)) }}
{{ $.path }}: productName starts with the character {{ include "kora.check.character" (first $characters) }}: start with a letter or digit
{{- end }}
{{- if contains "  " .name }}
{{ $.path }}: productName holds two spaces in a row: use one space between words
{{- end }}
{{- range regexFindAll "(?s)[^\\p{L}\\p{Nd}\\p{Mn}\\p{Mc}.&'+() -]" .name -1 | uniq }}
{{ $.path }}: productName holds the character {{ include "kora.check.character" . }}: leave this character out
{{- end }}
{{- end }}

{{/* kora.check.character is a character with its number, and itself where it shows. */}}
{{- define "kora.check.character" -}}
{{- $number := eq (len .) 1 | ternary (printf "00%x" .) (printf "%+q" . | regexFind "[0-9a-f]{4,}") }}
{{- $number = regexReplaceAll "^0+([0-9a-f]{4,})$" $number "${1}" | upper | printf "U+%s" }}
{{- if regexMatch "^[\\p{L}\\p{N}\\p{P}\\p{S}]$" . }}{{ . }} ({{ $number }}){{ else }}{{ $number }}{{ end }}
{{- end }}

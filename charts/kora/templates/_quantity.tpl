{{/*
kora.milli reads a Kubernetes quantity, as text or as a number, and gives its
thousandths as decimal text for float64; 0 for what is no quantity.
*/}}
{{- define "kora.milli" -}}
{{- $text := toString . }}
{{- $number := regexFind "^[0-9]*[.]?[0-9]*" $text }}
{{- $unit := trimPrefix $number $text }}
{{- $factors := dict "" 1e3 "n" 1e-6 "u" 1e-3 "m" 1.0 "k" 1e6 "M" 1e9 "G" 1e12 "T" 1e15 "P" 1e18 "E" 1e21
  "Ki" 1024e3 "Mi" 1048576e3 "Gi" 1073741824e3 "Ti" 1099511627776e3 "Pi" 1125899906842624e3 "Ei" 1152921504606846976e3 }}
{{- $factor := 1e3 }}
{{- if regexMatch "^[eE][+-]?[0-9]{1,2}$" $unit }}
{{- $factor = mulf 1e3 (float64 (printf "1%s" $unit)) }}
{{- else }}
{{- $factor = get $factors $unit | default 0.0 }}
{{- end }}
{{- printf "%f" (mulf (float64 (printf "0%s" $number)) $factor) }}
{{- end }}

{{/* kora.whole tells whether a quantity has no fraction. */}}
{{- define "kora.whole" -}}
{{- $n := divf (include "kora.milli" . | float64) 1000 }}
{{- eq (floor $n) $n }}
{{- end }}

{{/* kora.bytes writes thousandths of bytes as Kubernetes does: in the largest unit that is exact. */}}
{{- define "kora.bytes" -}}
{{- $bytes := divf (float64 .) 1000 | ceil | int64 }}
{{- $units := list "" "Ki" "Mi" "Gi" "Ti" "Pi" }}
{{- $at := 0 }}
{{- range until 5 }}
{{- if and (eq . $at) (eq (mod $bytes 1024) 0) }}
{{- $bytes = div $bytes 1024 }}
{{- $at = add1 . | int }}
{{- end }}
{{- end }}
{{- printf "%d%s" $bytes (index $units $at) }}
{{- end }}

{{/*
kora.sandboxTotal is what one sandbox pod requests in all, by resource (R10,
R29): its size, its sidecars, and 1Gi of disk. operator/agents.SandboxTotal says
the same, and a test compares the two.
*/}}
{{- define "kora.sandboxTotal" -}}
{{- $sizes := include "kora.overridden" (dict "root" . "name" "environments") | fromYaml | default .Values.agents.environments }}
{{- $size := $sizes.defaultSize }}
{{- $sidecars := .Values.operator.injection.sandboxSidecars }}
{{- $cpu := addf (include "kora.milli" $size.cpu | float64) (include "kora.milli" $sidecars.cpu | float64) }}
{{- $memory := addf (include "kora.milli" $size.memory | float64) (include "kora.milli" $sidecars.memory | float64) }}
{{- $disk := addf (include "kora.milli" $size.disk | float64) (include "kora.milli" "1Gi" | float64) }}
cpu: {{ printf "%dm" ($cpu | ceil | int64) }}
memory: {{ include "kora.bytes" (printf "%f" $memory) | quote }}
ephemeral-storage: {{ include "kora.bytes" (printf "%f" $disk) | quote }}
{{- end }}

{{/* kora.less tells whether the first quantity is below the second: (list A B). */}}
{{- define "kora.less" -}}
{{- lt (include "kora.milli" (first .) | float64) (include "kora.milli" (last .) | float64) }}
{{- end }}

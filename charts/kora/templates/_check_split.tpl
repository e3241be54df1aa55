{{/*
kora.terms is what a workload says about nodes, as a JSON list of alternatives,
each a list of requirements that must all hold: the node selector, with each term
of the required node affinity (R9). A term on the node's name has the key
"metadata.name", which no label is called.
*/}}
{{- define "kora.terms" -}}
{{- $selector := list }}
{{- range $key, $value := .nodeSelector }}
{{- $selector = append $selector (dict "key" $key "operator" "In" "values" (list $value)) }}
{{- end }}
{{- $required := dig "nodeAffinity" "requiredDuringSchedulingIgnoredDuringExecution" nil (.affinity | default dict) }}
{{- $terms := list }}
{{- range index ($required | default dict) "nodeSelectorTerms" }}
{{- /* A term that asks nothing admits no node. */}}
{{- with concat (.matchExpressions | default list) (.matchFields | default list) }}
{{- $terms = append $terms (concat $selector .) }}
{{- end }}
{{- end }}
{{- kindIs "invalid" $required | ternary (list $selector) $terms | toJson }}
{{- end }}

{{/*
kora.atoms are what an alternative allows, a value of each In at a time, as a JSON
list: as far as those are few, and without those that ask a label for two things at
once. Numbers that Gt and Lt compare are left to kora-agents and to the plugin.
*/}}
{{- define "kora.atoms" -}}
{{- $atoms := list list }}
{{- range $requirement := . }}
{{- $next := list }}
{{- range $atom := $atoms }}
{{- if and (eq $requirement.operator "In") (lt (mul (len $atoms) (len $requirement.values)) 200) }}
{{- range $requirement.values }}
{{- $next = append $next (append $atom (dict "key" $requirement.key "operator" "In" "values" (list .))) }}
{{- end }}
{{- else }}
{{- $next = append $next (append $atom $requirement) }}
{{- end }}
{{- end }}
{{- $atoms = $next }}
{{- end }}
{{- $possible := list }}
{{- range $atoms }}
{{- if ne (include "kora.impossible" .) "true" }}{{ $possible = append $possible . }}{{ end }}
{{- end }}
{{- $possible | toJson }}
{{- end }}

{{- define "kora.impossible" -}}
{{- $impossible := false }}
{{- range $one := . }}
{{- range $other := $ }}
{{- if and (eq $one.key $other.key) (eq $one.operator "In") (eq (len $one.values) 1) }}
{{- $value := first $one.values }}
{{- if or (eq $other.operator "DoesNotExist") (and (eq $other.operator "NotIn") (has $value $other.values)) (and (eq $other.operator "In") (not (has $value $other.values))) }}
{{- $impossible = true }}
{{- end }}
{{- else if and (eq $one.key $other.key) (eq $one.operator "DoesNotExist") (has $other.operator (list "Exists" "Gt" "Lt" "In")) }}
{{- $impossible = true }}
{{- end }}
{{- end }}
{{- end }}
{{- $impossible }}
{{- end }}

{{/* kora.nowhere tells whether a list of alternatives admits no node at all. */}}
{{- define "kora.nowhere" -}}
{{- $nowhere := true }}
{{- range . }}
{{- if include "kora.atoms" . | fromJsonArray }}{{ $nowhere = false }}{{ end }}
{{- end }}
{{- $nowhere }}
{{- end }}

{{/*
kora.split tells whether some node that one workload admits is not admitted by
the other: (dict "admits" TERMS "of" TERMS). Each alternative of the first, one
value of each In at a time, must imply some alternative of the second. Where that
is more than the chart can see, kora-agents decides, which repeats the check.
*/}}
{{- define "kora.split" -}}
{{- $of := .of }}
{{- $split := false }}
{{- range .admits }}
{{- range $atom := include "kora.atoms" . | fromJsonArray }}
{{- $admitted := false }}
{{- range $of }}
{{- if ne (include "kora.implies" (dict "given" $atom "asked" .)) "false" }}{{ $admitted = true }}{{ end }}
{{- end }}
{{- if not $admitted }}{{ $split = true }}{{ end }}
{{- end }}
{{- end }}
{{- $split }}
{{- end }}

{{/* kora.implies is false where a node can meet all of the given requirements and not all that are asked. */}}
{{- define "kora.implies" -}}
{{- $all := true }}
{{- range $asked := .asked }}
{{- $one := false }}
{{- range $.given }}
{{- if eq .key $asked.key }}
{{- if eq (toJson .) (toJson $asked) }}{{ $one = true }}
{{- else if or (has $asked.operator (list "Gt" "Lt")) (has .operator (list "Gt" "Lt")) }}{{ $one = true }}
{{- else if and (eq $asked.operator "Exists") (eq .operator "In") }}{{ $one = true }}
{{- else if and (eq $asked.operator "In") (eq .operator "In") }}
{{- $values := $asked.values }}{{ $one = or $one (has (first .values) $values) }}
{{- else if and (eq $asked.operator "NotIn") (eq .operator "In") }}
{{- $one = or $one (not (has (first .values) $asked.values)) }}
{{- else if and (eq $asked.operator "NotIn") (eq .operator "DoesNotExist") }}{{ $one = true }}
{{- else if and (eq $asked.operator "NotIn") (eq .operator "NotIn") }}
{{- $missing := false }}{{ $have := .values }}
{{- range $asked.values }}{{ if not (has . $have) }}{{ $missing = true }}{{ end }}{{ end }}
{{- $one = or $one (not $missing) }}
{{- end }}
{{- end }}
{{- end }}
{{- if not $one }}{{ $all = false }}{{ end }}
{{- end }}
{{- $all }}
{{- end }}

{{/*
Labels and annotations that kora owns (R11). operator/agents.Owned is the same
list, and a test compares the two.
*/}}
{{- define "kora.ownedKey" -}}
^(([^/]*[.])?([rR][uU][nN][kK][oO][rR][aA]|[iI][sS][tT][iI][oO]|[sS][pP][iI][fF][fF][eE])[.][iI][oO]/.*|(?i:app[.]kubernetes[.]io)/(name|instance|managed-by|part-of)|(?i:(statefulset|apps)[.]kubernetes[.]io|container[.](apparmor[.]security[.]beta|seccomp[.]security[.]alpha)[.]kubernetes[.]io)/.*|(?i:seccomp[.]security[.]alpha[.]kubernetes[.]io)/pod|controller-revision-hash|controller-uid|job-name|pod-template-hash)$
{{- end }}
{{/* kora.below is the path of a key: (list PATH KEY). */}}
{{- define "kora.below" -}}
{{- if or (regexMatch "[].\\[/=\" ]" (last .)) (eq (last .) "") }}{{ printf "%s[%q]" (first .) (last .) }}{{ else }}{{ printf "%s.%s" (first .) (last .) }}{{ end }}
{{- end }}
{{- define "kora.check.owned" -}}
{{- $owned := include "kora.ownedKey" . }}
{{- $blocks := include "kora.overridden" (dict "root" . "name" "workloads") | fromYaml | default .Values.agents.workloads }}
{{- range $block := list "common" "sessionManager" "sandbox" }}
{{- range $field, $what := dict "podLabels" "label" "podAnnotations" "annotation" }}
{{- range $key, $_ := get (index $blocks $block) $field | default dict }}
{{- if regexMatch $owned $key }}
{{ include "kora.told" (dict "root" $ "steps" (list "workloads" $block $field $key)) }}: the pod {{ $what }} {{ printf "%q" $key }} is kora's: remove it, or use a key under a domain of your own
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- range $key, $_ := get (get $blocks.sessionManager "serviceAccount" | default dict) "annotations" | default dict }}
{{- if regexMatch $owned $key }}
{{ include "kora.told" (dict "root" $ "steps" (list "workloads" "sessionManager" "serviceAccount" "annotations" $key)) }}: the annotation {{ printf "%q" $key }} of the ServiceAccount is kora's: remove it, or use a key under a domain of your own
{{- end }}
{{- end }}
{{- end }}

{{/* An environment gets its default size, and grows to maxSize at most (R10). */}}
{{- define "kora.check.sizes" -}}
{{- $sizes := include "kora.overridden" (dict "root" . "name" "environments") | fromYaml | default .Values.agents.environments }}
{{- range list "cpu" "memory" "disk" }}
{{- if eq (include "kora.less" (list (get $sizes.maxSize .) (get $sizes.defaultSize .))) "true" }}
{{ include "kora.told" (dict "root" $ "steps" (list "environments" "maxSize" .)) }}: the largest size is below the default size: at least {{ get $sizes.defaultSize . }}, which is {{ include "kora.told" (dict "root" $ "steps" (list "environments" "defaultSize" .)) }}
{{- end }}
{{- end }}
{{- range $resource, $most := dict "cpu" "64" "memory" "64Gi" }}
{{- if eq (include "kora.less" (list $most (get $.Values.operator.injection.sandboxSidecars $resource))) "true" }}
operator.injection.sandboxSidecars.{{ $resource }}: the sidecars of one pod never use so much, and no node may have it: at most {{ $most }}
{{- end }}
{{- end }}
{{- end }}

{{/* A placeholder that reserves less would hold no room for a sandbox (R29). */}}
{{- define "kora.check.warming" -}}
{{- $total := include "kora.sandboxTotal" . | fromYaml }}
{{- range $block := list "requests" "limits" }}
{{- range $resource, $amount := get ($.Values.agents.sandboxWarming.resources | default dict) $block | default dict }}
{{- if and (hasKey $total $resource) (eq (include "kora.less" (list $amount (index $total $resource))) "true") }}
agents.sandboxWarming.resources.{{ $block }}.{{ $resource }}: a placeholder reserves less than one sandbox pod requests: at least {{ index $total $resource }}: the default size, the sidecars and 1Gi of disk
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* A sandbox follows its workspace to the session-manager's node, and must be admitted there (R9). */}}
{{- define "kora.check.placement" -}}
{{- $workspace := include "kora.overridden" (dict "root" . "name" "workspace") | fromYaml | default .Values.agents.workspace }}
{{- if not (has "ReadWriteMany" $workspace.accessModes) }}
{{- $manager := include "kora.workload" (dict "root" . "name" "sessionManager") | fromYaml }}
{{- $sandbox := include "kora.workload" (dict "root" . "name" "sandbox") | fromYaml }}
{{- if eq (include "kora.split" (dict "admits" (include "kora.terms" $manager | fromJsonArray) "of" (include "kora.terms" $sandbox | fromJsonArray))) "true" }}
{{ include "kora.told" (dict "root" $ "steps" (list "workloads")) }}: the session-manager and the sandbox are placed apart over a workspace that is not ReadWriteMany: place both alike, or set agents.workspace.accessModes to [ReadWriteMany]
{{- end }}
{{- end }}
{{- end }}

{{/* A placement that no node can meet leaves its pods waiting for ever (R9). */}}
{{- define "kora.check.nowhere" -}}
{{- range $name, $what := dict "sandbox" "sandbox" "sessionManager" "session-manager" }}
{{- $placement := include "kora.workload" (dict "root" $ "name" $name) | fromYaml }}
{{- if eq (include "kora.nowhere" (include "kora.terms" $placement | fromJsonArray)) "true" }}
{{ include "kora.told" (dict "root" $ "steps" (list "workloads" $name)) }}: no node can be admitted by the node selector and the required node affinity of the {{ $what }}: ask each label for one thing
{{- end }}
{{- end }}
{{- end }}

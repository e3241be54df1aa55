{{/* Tolerations that the API server refuses, in every block that has some. */}}
{{- define "kora.check.tolerations" -}}
{{- $blocks := dict "ingressGateway" .Values.ingressGateway "sandboxMount" .Values.sandboxMount }}
{{- range list "common" "sessionManager" "sandbox" }}
{{- $_ := set $blocks (printf "agents.workloads.%s" .) (index $.Values.agents.workloads .) }}
{{- end }}
{{- range $key, $_ := include "kora.services" . | fromYaml }}
{{- $_ := set $blocks $key (index $.Values $key) }}
{{- end }}
{{- range $path, $block := $blocks }}
{{- range $i, $toleration := get $block "tolerations" | default list }}
{{- if and (eq (toString $toleration.operator) "Exists") $toleration.value }}
{{ $path }}.tolerations[{{ $i }}].value: a toleration with the operator Exists holds for every value: no value, or the operator Equal
{{- else if not (has (get $toleration "operator" | default "Equal") (list "Exists" "Equal")) }}
{{ $path }}.tolerations[{{ $i }}].operator: the API server takes none but a few values here: one of Exists, Equal
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Annotations of the services' pods that kora's own would silently win over, or that change what it wires (R11). */}}
{{- define "kora.check.ownedByServices" -}}
{{- $owned := include "kora.ownedKey" . }}
{{- range $name, $_ := include "kora.services" . | fromYaml }}
{{- range $key, $_ := (index $.Values $name).podAnnotations | default dict }}
{{- if or (regexMatch $owned $key) (hasPrefix "checksum/" $key) }}
{{ include "kora.below" (list (printf "%s.podAnnotations" $name) $key) }}: the pod annotation {{ printf "%q" $key }} is kora's: remove it, or use a key under a domain of your own
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* kora.toolKey are the annotations by which Helm and Argo CD decide what becomes of an object. The plugin has the same. */}}
{{- define "kora.toolKey" -}}
^(([^/]*[.])?helm[.]sh/.*|argocd[.]argoproj[.]io/hook.*)$
{{- end }}

{{/* An object that a value makes a hook is none of the release any more (R27). */}}
{{- define "kora.check.tools" -}}
{{- $tool := include "kora.toolKey" . }}
{{- range $key, $_ := .Values.ingressGateway.service.annotations | default dict }}
{{- if regexMatch $tool $key }}
{{ include "kora.below" (list "ingressGateway.service.annotations" $key) }}: the annotation {{ printf "%q" $key }} tells Helm or Argo CD what becomes of the object, which the chart alone does: remove it
{{- end }}
{{- end }}
{{- end }}

{{/* Requests and limits of every container that the values size. */}}
{{- define "kora.check.resources" -}}
{{- $blocks := dict "ingressGateway.resources" .Values.ingressGateway.resources "config.migrate.resources" .Values.config.migrate.resources "agents.sandboxWarming.resources" .Values.agents.sandboxWarming.resources }}
{{- range $key, $_ := include "kora.services" . | fromYaml }}
{{- $_ := set $blocks (printf "%s.resources" $key) (index $.Values $key).resources }}
{{- end }}
{{- range $path, $block := $blocks }}
{{- $block = $block | default dict }}
{{- $requests := $block.requests | default dict }}
{{- $limits := $block.limits | default dict }}
{{- range $list, $amounts := dict "requests" $requests "limits" $limits }}
{{- range $name, $amount := $amounts }}
{{- if not (or (has $name (list "cpu" "memory" "ephemeral-storage")) (hasPrefix "hugepages-" $name) (contains "/" $name)) }}
{{ include "kora.below" (list (printf "%s.%s" $path $list) $name) }}: {{ printf "%q" $name }} is no resource of a container
{{- else if and (contains "/" $name) (not (contains "kubernetes.io/" $name)) (eq (include "kora.whole" $amount) "false") }}
{{ include "kora.below" (list (printf "%s.%s" $path $list) $name) }}: of this resource there are whole ones only
{{- end }}
{{- end }}
{{- end }}
{{- range $name, $amount := $requests }}
{{- if and (hasKey $limits $name) (eq (include "kora.less" (list (get $limits $name) $amount)) "true") }}
{{ include "kora.below" (list (printf "%s.requests" $path) $name) }}: the request is above the limit: at most {{ get $limits $name }}, which is {{ include "kora.below" (list (printf "%s.limits" $path) $name) }}
{{- else if and (or (hasPrefix "hugepages-" $name) (and (contains "/" $name) (not (contains "kubernetes.io/" $name)))) (or (not (hasKey $limits $name)) (eq (include "kora.less" (list $amount (get $limits $name))) "true")) }}
{{ include "kora.below" (list (printf "%s.requests" $path) $name) }}: of this resource the request is the limit: the same under {{ $path }}.limits
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* The autoscaler divides by the cpu that is requested; a limit alone is a request too. */}}
{{- define "kora.check.scaled" -}}
{{- range $key, $_ := include "kora.services" . | fromYaml }}
{{- $values := index $.Values $key }}
{{- $resources := $values.resources | default dict }}
{{- $cpu := get ($resources.requests | default dict) "cpu" | default (get ($resources.limits | default dict) "cpu") | default 0 }}
{{- if and $values.autoscaling.enabled (ne (include "kora.less" (list 0 $cpu)) "true") }}
{{ $key }}.resources.requests.cpu: the autoscaler counts by the cpu that is requested, and none is: request some, such as 100m, or turn {{ $key }}.autoscaling off
{{- end }}
{{- end }}
{{- end }}

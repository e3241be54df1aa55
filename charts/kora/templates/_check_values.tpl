{{/* Each kora.check.NAME writes its faults, a line each. */}}
{{- define "kora.check.required" -}}
{{- if not .Values.global.trustDomain }}
global.trustDomain: global.trustDomain is required: add trustDomain: example.com under global, or give --set global.trustDomain=example.com
{{- end }}
{{- if not .Values.frontendHost }}
frontendHost: frontendHost is required: add frontendHost: example.com, or give --set frontendHost=example.com
{{- end }}
{{- end }}

{{/* kora.reservedNamespace are those of Kubernetes, Istio, SPIRE, Argo CD and the node agent. The plugin has the same. */}}
{{- define "kora.reservedNamespace" -}}
^(kube-.*|istio-system|spire-system|spire-server|argocd|kora-sandbox-mount)$
{{- end }}

{{/* Hosts and the namespace are in every route, and in the shell of the test. */}}
{{- define "kora.check.hosts" -}}
{{- $host := .Values.frontendHost | default "example.com" }}
{{- if not (and (regexMatch "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?([.][a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$" $host) (le (len $host) 249)) }}
frontendHost: {{ printf "%q" $host }} is not a host name in lower case without scheme and port, such as example.com
{{- else if regexMatch "(^|[.])[0-9]+$" $host }}
frontendHost: {{ printf "%q" $host }} is an address and not the name of a host: write a name that DNS knows, such as example.com
{{- end }}
{{- $namespace := include "kora.namespace" . }}
{{- if not (regexMatch "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$" $namespace) }}
global.systemNamespace: {{ printf "%q" $namespace }} is not the name of a namespace
{{- else if regexMatch (include "kora.reservedNamespace" . | trim) $namespace }}
global.systemNamespace: {{ printf "%q" $namespace }} is a namespace of others: give kora one of its own, such as kora-system
{{- end }}
{{- end }}

{{- define "kora.check.gateway" -}}
{{- if and (not .Values.gateway.create) (not .Values.gateway.byo.namespace) }}
gateway.byo.namespace: gateway.byo.namespace is required where gateway.create is false: set it to the namespace of your gateway, as values/gateway-byo.yaml explains
{{- end }}
{{- end }}

{{/* What every service's block has: variables from secrets alone (R23), and bounds in their order. */}}
{{- define "kora.check.components" -}}
{{- range $key, $service := include "kora.services" . | fromYaml }}
{{- $values := index $.Values $key }}
{{- $names := concat (list "POD_NAME" "POD_NAMESPACE") ($service.secrets | default list) (eq $key "operator" | ternary (list "KORA_MEMORY_LIMIT") list) }}
{{- $own := len $names }}
{{- range $i, $entry := $values.extraEnv }}
{{- $name := get $entry "name" | toString }}
{{- if has $name (slice $names 0 $own) }}
{{ $key }}.extraEnv[{{ $i }}].name: {{ printf "%q" $name }} is set by kora in this service: use another name, or remove the entry: kora gives it its value
{{- else if has $name $names }}
{{ $key }}.extraEnv[{{ $i }}].name: {{ printf "%q" $name }} stands in the list twice: remove one of the two
{{- end }}
{{- $names = append $names $name }}
{{- if not (dig "valueFrom" "secretKeyRef" "name" "" $entry) }}
{{ $key }}.extraEnv[{{ $i }}]: {{ get $entry "name" | printf "%q" }} has no valueFrom.secretKeyRef, and extraEnv is for secrets only: settings belong into {{ $key }}.configOverrides
{{- else if or (hasKey $entry "value") (ne (len $entry.valueFrom) 1) }}
{{ $key }}.extraEnv[{{ $i }}]: {{ get $entry "name" | printf "%q" }} has another source than valueFrom.secretKeyRef, and extraEnv is for secrets only
{{- end }}
{{- end }}
{{- if and $values.autoscaling.enabled (lt (int $values.autoscaling.maxReplicas) (int $values.autoscaling.minReplicas)) }}
{{ $key }}.autoscaling.maxReplicas: {{ int $values.autoscaling.maxReplicas }} is below {{ $key }}.autoscaling.minReplicas, which is {{ int $values.autoscaling.minReplicas }}
{{- end }}
{{- end }}
{{- end }}

{{/* configOverrides set known keys of known modules (R23). */}}
{{- define "kora.check.config" -}}
{{- $all := include "kora.modules" . | fromYaml }}
{{- $pinned := include "kora.pinned" . | fromYaml }}
{{- range $key, $service := include "kora.services" . | fromYaml }}
{{- range $module, $settings := (index $.Values $key).configOverrides }}
{{- if not (has $module $service.modules) }}
{{ include "kora.below" (list (printf "%s.configOverrides" $key) $module) }}: unknown field {{ printf "%q" $module }}: one of {{ join ", " $service.modules }}
{{- else }}
{{- $path := include "kora.below" (list (printf "%s.configOverrides" $key) $module) }}
{{- include "kora.check.keys" (dict "path" $path "known" (index $all $module) "given" $settings) }}
{{- include "kora.check.pinned" (dict "root" $ "service" $key "path" $path "known" (index $pinned $module | default dict) "given" $settings) }}
{{- if and (eq $module "internal/platform/branding") (kindIs "map" $settings) (hasKey $settings "productName") }}
{{- include "kora.check.productName" (dict "path" (printf "%s.productName" $path) "name" (toString $settings.productName)) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/*
kora.check.keys compares one level of settings with the known ones, and the
levels below that kora owns. workloads and what lies in it is Kubernetes' own
shape, and an empty map holds names of the user's.
*/}}
{{- define "kora.check.keys" -}}
{{- if not (kindIs "map" .given) }}
{{ .path }}: the value is of the wrong type: a map of values
{{- else }}
{{- range $key, $value := .given }}
{{- if not (hasKey $.known $key) }}
{{ include "kora.below" (list $.path $key) }}: unknown field {{ printf "%q" $key }}: one of {{ keys $.known | sortAlpha | join ", " }}
{{- else }}
{{- $below := index $.known $key }}
{{- if and (kindIs "map" $below) $below (not (has $key (list "workloads" "sandboxPlacement" "sessionManagerPlacement" "registryMirrors"))) }}
{{- include "kora.check.keys" (dict "path" (include "kora.below" (list $.path $key)) "known" $below "given" $value) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

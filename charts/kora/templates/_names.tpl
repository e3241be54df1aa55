{{/* kora.namespace is where the platform runs (R21). */}}
{{- define "kora.namespace" -}}
{{- .Values.global.systemNamespace | default .Release.Namespace }}
{{- end }}

{{- define "kora.apiHost" -}}
{{- printf "api.%s" .Values.frontendHost }}
{{- end }}

{{/*
kora.labels are on every object: (dict "root" $ "app" NAME). app is what people
and selectors go by; the chart's version is on objects but never on pods, which
would all roll for it.
*/}}
{{- define "kora.labels" -}}
{{ include "kora.podLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name (.root.Chart.Version | replace "+" "_") | quote }}
{{- end }}

{{- define "kora.podLabels" -}}
app: {{ .app | quote }}
app.kubernetes.io/name: {{ .app | quote }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service | quote }}
app.kubernetes.io/part-of: kora
{{- end }}

{{/* kora.metadata: (dict "root" $ "name" NAME), "app" where that is another, "cluster" for no namespace. */}}
{{- define "kora.metadata" -}}
name: {{ .name | quote }}
{{- if not .cluster }}
namespace: {{ include "kora.namespace" .root | quote }}
{{- end }}
labels:
  {{- include "kora.labels" (dict "root" .root "app" (.app | default .name)) | nindent 2 }}
{{- end }}

{{/*
kora.image is a whole reference (R21): (dict "root" $ "workload" NAME "image" BLOCK).
A tag in the values is every image's; without, a stamped digest wins over the
chart's appVersion.
*/}}
{{- define "kora.image" -}}
{{- $image := .image | default dict }}
{{- $name := $image.repository | default (printf "%s/%s" .root.Values.global.imageRegistry .workload) }}
{{- if .root.Values.global.imageTag }}
{{- printf "%s:%s" $name .root.Values.global.imageTag }}
{{- else if $image.digest }}
{{- printf "%s@%s" $name $image.digest }}
{{- else }}
{{- printf "%s:%s" $name .root.Chart.AppVersion }}
{{- end }}
{{- end }}

{{/* kora.sandboxImage and kora.sessionManagerImage are those of agents' pods. */}}
{{- define "kora.sandboxImage" -}}
{{- $over := get (.Values.agents.configOverrides | default dict) "internal/agents" | default dict }}
{{- dig "images" "sandbox" "" $over | default .Values.agents.config.sandboxImage | default (include "kora.image" (dict "root" . "workload" "kora-sandbox-base")) }}
{{- end }}
{{- define "kora.sessionManagerImage" -}}
{{- .Values.agents.config.sessionManagerImage | default (include "kora.image" (dict "root" . "workload" "kora-session-manager")) }}
{{- end }}

{{/* kora.pullSecretNames is a JSON list: each entry is a name, or a map with one (R21). */}}
{{- define "kora.pullSecretNames" -}}
{{- $names := list }}
{{- range .Values.global.imagePullSecrets }}
{{- $names = append $names (kindIs "map" . | ternary (get (kindIs "map" . | ternary . dict) "name") .) }}
{{- end }}
{{- $names | uniq | toJson }}
{{- end }}

{{/* kora.pullSecrets is the imagePullSecrets of a pod, nothing where there are none. */}}
{{- define "kora.pullSecrets" -}}
{{- with include "kora.pullSecretNames" . | fromJsonArray }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
{{- end }}

{{/*
kora.collectorCIDRs is a JSON list: where a collector outside of the cluster may
be, for the policies of tenants (R28). It is what networkPolicy.externalServices
open on the endpoint's port; never all addresses at once, which is no collector.
*/}}
{{- define "kora.collectorCIDRs" -}}
{{- $cidrs := list }}
{{- $telemetry := .Values.global.observability }}
{{- if and $telemetry.otlpEndpoint (not $telemetry.collectorNamespace) }}
{{- $port := include "kora.collectorPort" . }}
{{- range .Values.networkPolicy.externalServices }}
{{- $ports := list }}{{ range .ports }}{{ $ports = append $ports (int . | toString) }}{{ end }}
{{- if and (has $port $ports) (not (hasSuffix "/0" .cidr)) }}
{{- $cidrs = append $cidrs .cidr }}
{{- end }}
{{- end }}
{{- end }}
{{- $cidrs | uniq | toJson }}
{{- end }}

{{/* kora.collectorPort is the port of the telemetry's endpoint (R28): the URL's, whose zeros in front say nothing, else its scheme's. */}}
{{- define "kora.collectorPort" -}}
{{- $endpoint := .Values.global.observability.otlpEndpoint | default "" }}
{{- $authority := regexReplaceAll "^https?://([^/]*).*$" $endpoint "${1}" }}
{{- $port := regexReplaceAll "^:0*" (regexFind ":[0-9]+$" $authority) "" }}
{{- $port | default (hasPrefix "https://" $endpoint | ternary "443" "80") }}
{{- end }}

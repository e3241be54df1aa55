{{/* kora.policies maps the name of each NetworkPolicy to its spec (R25). */}}
{{- define "kora.policies" -}}
{{- $api := list }}
{{- $outbound := list }}
{{- $stores := dict "postgres" list "redis" list }}
{{- range $key, $service := include "kora.services" . | fromYaml }}
{{- if .api }}{{ $api = append $api .workload }}{{ end }}
{{- if .outbound }}{{ $outbound = append $outbound .workload }}{{ end }}
{{- range $store, $pods := $stores }}
{{- /* The operator repeats preflight's checks, which connect to both (R55). */}}
{{- if or (has (printf "internal/platform/%s" $store) $service.modules) (and (eq $key "operator") $.Values.operator.preflight.enabled) }}
{{- $_ := set $stores $store (append $pods $service.workload) }}
{{- end }}
{{- end }}
{{- end }}
kora-default-deny:
  podSelector: {}
  policyTypes: [Ingress, Egress]
kora-dns:
  podSelector: {}
  policyTypes: [Egress]
  egress:
    # The second is where a node's own cache listens.
    - to: [{ namespaceSelector: {} }, { ipBlock: { cidr: 169.254.20.10/32 } }]
      ports: [{ protocol: UDP, port: 53 }, { protocol: TCP, port: 53 }]
kora-mesh:
  podSelector: { matchLabels: { app.kubernetes.io/part-of: kora } }
  policyTypes: [Ingress, Egress]
  ingress:
    - from:
        - podSelector: {}
        - namespaceSelector: { matchExpressions: [{ key: runkora.io/tenant, operator: Exists }] }
  egress:
    - to:
        - podSelector: {}
        - namespaceSelector: { matchExpressions: [{ key: runkora.io/tenant, operator: Exists }] }
    - to: [{ namespaceSelector: {}, podSelector: { matchLabels: { app: istiod } } }]
      ports: [{ protocol: TCP, port: 15012 }]
kora-kubernetes-api:
  podSelector: { matchExpressions: [{ key: app, operator: In, values: {{ sortAlpha $api | toJson }} }] }
  policyTypes: [Egress]
  egress:
    {{- include "kora.apiEgress" . | nindent 4 }}
kora-webhooks:
  # The API server calls from addresses that no selector names.
  podSelector: { matchLabels: { app: kora-operator } }
  policyTypes: [Ingress]
  ingress:
    - ports: [{ protocol: TCP, port: 9443 }]
kora-outbound:
  podSelector: { matchExpressions: [{ key: app, operator: In, values: {{ sortAlpha $outbound | toJson }} }] }
  policyTypes: [Egress]
  egress:
    - ports: [{ protocol: TCP, port: 443 }]
kora-registries:
  # The operator reads the configs of sandbox images (R52).
  podSelector: { matchLabels: { app: kora-operator } }
  policyTypes: [Egress]
  egress:
    - ports:
        {{- range include "kora.registryPorts" . | fromJsonArray }}
        - { protocol: TCP, port: {{ int . }} }
        {{- end }}
{{- range $store, $pods := $stores }}
kora-{{ $store }}:
  podSelector: { matchExpressions: [{ key: app, operator: In, values: {{ sortAlpha $pods | toJson }} }] }
  policyTypes: [Egress]
  egress:
    {{- include "kora.storeEgress" (dict "root" $ "store" $store) | nindent 4 }}
{{- end }}
{{ include "kora.gatewayPolicy" . }}
{{- with .Values.networkPolicy.externalServices }}
kora-external-services:
  podSelector: { matchLabels: { app.kubernetes.io/part-of: kora } }
  policyTypes: [Egress]
  egress:
    {{- include "kora.externalEgress" . | nindent 4 }}
{{- end }}
{{- with and .Values.global.observability.otlpEndpoint .Values.global.observability.collectorNamespace }}
kora-collector:
  podSelector: { matchLabels: { app.kubernetes.io/part-of: kora } }
  policyTypes: [Egress]
  egress:
    - to: [{ namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: {{ . | quote }} } } }]
      ports: [{ protocol: TCP, port: {{ include "kora.collectorPort" $ }} }]
{{- end }}
{{- end }}

{{/* kora.gatewayPolicy lets the public in to kora's own gateway, or your gateway in to kora's services. */}}
{{- define "kora.gatewayPolicy" -}}
kora-gateway:
  {{- if .Values.gateway.create }}
  podSelector: { matchLabels: { app: kora-ingressgateway } }
  policyTypes: [Ingress]
  ingress:
    - ports:
        {{- range .Values.gateway.tls.enabled | ternary (list 80 443 15021) (list 80 15021) }}
        - { protocol: TCP, port: {{ . }} }
        {{- end }}
  {{- else }}
  podSelector: { matchLabels: { app.kubernetes.io/part-of: kora } }
  policyTypes: [Ingress]
  ingress:
    - from:
        - namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: {{ .Values.gateway.byo.namespace | quote }} } }
          podSelector: { matchLabels: {{ .Values.gateway.byo.podLabels | toJson }} }
  {{- end }}
{{- end }}

{{/* kora.apiEgress leads to the Kubernetes API: its addresses, where the values name them. */}}
{{- define "kora.apiEgress" -}}
- ports: [{ protocol: TCP, port: 443 }, { protocol: TCP, port: 6443 }]
  {{- with .Values.networkPolicy.kubernetesApiCidrs }}
  to:
    {{- range . }}
    - ipBlock: { cidr: {{ . | quote }} }
    {{- end }}
  {{- end }}
{{- end }}

{{/*
kora.storeEgress leads to PostgreSQL or Redis in any namespace of this cluster,
on the port of the values: (dict "root" $ "store" postgres|redis). It is one for
the services and the hooks, so that what a hook reaches the services reach too. A
store outside of the cluster is one of networkPolicy.externalServices.
*/}}
{{- define "kora.storeEgress" -}}
- to: [{ namespaceSelector: {} }]
  ports: [{ protocol: TCP, port: {{ int (eq .store "postgres" | ternary .root.Values.config.db .root.Values.config.redis).port }} }]
{{- end }}

{{/* kora.externalEgress leads to networkPolicy.externalServices, which it is given. */}}
{{- define "kora.externalEgress" -}}
{{- range . }}
- to: [{ ipBlock: { cidr: {{ .cidr | quote }} } }]
  ports:
    {{- range .ports }}
    - { protocol: TCP, port: {{ int . }} }
    {{- end }}
{{- end }}
{{- end }}

{{/* kora.registryPorts are 443, those of the values, and those that a mirror names or has by its scheme (R30). */}}
{{- define "kora.registryPorts" -}}
{{- $ports := list 443 }}
{{- range .Values.agents.sandboxImages.registryPorts }}
{{- $ports = append $ports (int .) }}
{{- end }}
{{- range .Values.agents.sandboxImages.registryMirrors }}
{{- $port := regexReplaceAll "^(https?://)?[^/:]*(:0*([0-9]+))?.*$" . "${3}" | default (hasPrefix "http://" . | ternary "80" "443") }}
{{- $ports = append $ports (int $port) }}
{{- end }}
{{- $ports | uniq | toJson }}
{{- end }}

{{/*
kora.preflightRules are what preflight reads of the cluster, and no more (R55):
operator/preflight/gather has one request for each. Mesh and SPIRE may live in
any namespace, so their ConfigMaps are named and not their places.
*/}}
{{- define "kora.preflightRules" -}}
{{- $revision := empty .Values.istio.revision | ternary "" (printf "-%s" .Values.istio.revision) }}
- apiGroups: [""]
  resources: [namespaces]
  resourceNames: {{ list (include "kora.namespace" .) "kora-sandbox-mount" | toJson }}
  verbs: [get]
- apiGroups: [""]
  resources: [nodes, pods]
  verbs: [list]
- apiGroups: [""]
  resources: [configmaps]
  resourceNames:
    {{- range list (printf "istio%s" $revision) (printf "istio-sidecar-injector%s" $revision) "spire-agent" "spire-controller-manager" "spire-server" }}
    - {{ . | quote }}
    {{- end }}
  verbs: [get]
- apiGroups: [apps]
  resources: [daemonsets, deployments, statefulsets]
  verbs: [list]
- apiGroups: [storage.k8s.io]
  resources: [csidrivers]
  resourceNames: [csi.spiffe.io]
  verbs: [get]
- apiGroups: [storage.k8s.io]
  resources: [storageclasses]
  verbs: [list]
- apiGroups: [apiextensions.k8s.io]
  resources: [customresourcedefinitions]
  resourceNames: [clusterspiffeids.spire.spiffe.io]
  verbs: [get]
# Istio's webhooks of injection, and the tags of its revisions.
- apiGroups: [admissionregistration.k8s.io]
  resources: [mutatingwebhookconfigurations]
  verbs: [list]
- apiGroups: [spire.spiffe.io]
  resources: [clusterspiffeids]
  verbs: [list]
{{- end }}

{{/* kora.platformSecrets are the Secrets of the system namespace that preflight looks into, by name. */}}
{{- define "kora.platformSecrets" -}}
{{- $names := list .Values.config.platformSecretName .Values.frontend.existingSecret }}
{{- if eq (include "kora.redisCA" .) "true" }}
{{- $names = append $names .Values.config.redis.tls.caSecret }}
{{- end }}
{{- if and .Values.gateway.create .Values.gateway.tls.enabled }}
{{- $names = append $names .Values.gateway.tls.credentialName }}
{{- end }}
{{- range include "kora.pullSecretNames" . | fromJsonArray }}
{{- $names = append $names . }}
{{- end }}
{{- $names | uniq | toJson }}
{{- end }}

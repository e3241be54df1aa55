{{/*
kora.preflightRules are what preflight reads of the cluster (R55). Mesh and SPIRE
may live in any namespace, so their ConfigMaps are named and not their places.
*/}}
{{- define "kora.preflightRules" -}}
- apiGroups: [""]
  resources: [namespaces, nodes, pods, services]
  verbs: [get, list]
- apiGroups: [""]
  resources: [configmaps]
  resourceNames:
    {{- range list (empty .Values.istio.revision | ternary "istio" (printf "istio-%s" .Values.istio.revision)) "istio-cni-config" "spire-agent" "spire-controller-manager" "spire-server" }}
    - {{ . | quote }}
    {{- end }}
  verbs: [get]
- apiGroups: [apps]
  resources: [daemonsets, deployments, statefulsets]
  verbs: [get, list]
- apiGroups: [discovery.k8s.io]
  resources: [endpointslices]
  verbs: [get, list]
- apiGroups: [storage.k8s.io]
  resources: [csidrivers, csinodes, storageclasses]
  verbs: [get, list]
- apiGroups: [apiextensions.k8s.io]
  resources: [customresourcedefinitions]
  verbs: [get, list]
- apiGroups: [admissionregistration.k8s.io]
  resources: [mutatingwebhookconfigurations, validatingwebhookconfigurations]
  verbs: [get, list]
- apiGroups: [spire.spiffe.io]
  resources: [clusterspiffeids]
  verbs: [get, list]
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

{{/* kora.webhook is what the operator's webhooks have in common: (dict "root" $ "path" PATH). */}}
{{- define "kora.webhook" -}}
admissionReviewVersions: [v1]
clientConfig:
  service:
    name: kora-operator
    namespace: {{ include "kora.namespace" .root | quote }}
    port: 443
    path: {{ .path }}
matchPolicy: Equivalent
sideEffects: None
timeoutSeconds: 5
{{- end }}

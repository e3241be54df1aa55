{{/* What Pod Security level restricted asks of a pod and of each container, at uid 100. */}}
{{- define "kora.podSecurity" -}}
securityContext:
  runAsUser: 100
  runAsGroup: 100
  runAsNonRoot: true
  fsGroup: 100
  seccompProfile: { type: RuntimeDefault }
{{- end }}
{{- define "kora.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  capabilities: { drop: [ALL] }
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{/*
kora.meshLabels and kora.meshAnnotations put a pod into the mesh. The revision
is repeated on the pod so that it is not the namespace alone that decides (R26).
*/}}
{{- define "kora.meshLabels" -}}
sidecar.istio.io/inject: "true"
{{- with .Values.istio.revision }}
istio.io/rev: {{ . | quote }}
{{- end }}
spiffe.io/spire-managed-identity: "true"
{{- end }}
{{- define "kora.meshAnnotations" -}}
proxy.istio.io/config: '{"holdApplicationUntilProxyStarts": true}'
{{- end }}

{{/*
kora.meshVolume is where the sidecar finds SPIRE's socket instead of istiod's
certificates: Istio's template names an empty volume so, and keeps a pod's own.
*/}}
{{- define "kora.meshVolume" -}}
- name: workload-socket
  csi:
    driver: csi.spiffe.io
    readOnly: true
{{- end }}

{{/* kora.secretEnv turns names of keys into variables from the platform's Secrets (R22): (dict "root" $ "keys" LIST). */}}
{{- define "kora.secretEnv" -}}
{{- range .keys }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ eq . "BFF_SESSION_SECRET" | ternary $.root.Values.frontend.existingSecret $.root.Values.config.platformSecretName | quote }}
      key: {{ . }}
{{- end }}
{{- end }}

{{/* kora.probes asks over HTTP, or only connects: an entry's probe in the table. */}}
{{- define "kora.probes" -}}
{{- range $probe, $ask := dict "startup" (list "/healthz" 2 60) "liveness" (list "/healthz" 10 6) "readiness" (list "/readyz" 5 3) }}
{{ $probe }}Probe:
  {{- if eq $.kind "http" }}
  httpGet: { path: {{ index $ask 0 }}, port: {{ $.port }} }
  {{- else }}
  tcpSocket: { port: {{ $.port }} }
  {{- end }}
  periodSeconds: {{ index $ask 1 }}
  timeoutSeconds: 2
  failureThreshold: {{ index $ask 2 }}
{{- end }}
{{- end }}

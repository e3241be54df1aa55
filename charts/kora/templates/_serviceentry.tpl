{{/*
kora.serviceEntry lets the mesh through to one external service (R26): (dict
"root" $ "name" NAME "of" {host, port} "protocol" TCP|TLS). An address has no
name to resolve, so it is its own endpoint.
*/}}
{{- define "kora.serviceEntry" }}
{{- $address := regexMatch "^([0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)$" .of.host }}
---
apiVersion: networking.istio.io/v1
kind: ServiceEntry
metadata:
  {{- include "kora.metadata" (dict "root" .root "name" .name) | nindent 2 }}
spec:
  exportTo: ["."]
  location: MESH_EXTERNAL
  {{- if $address }}
  hosts: [{{ printf "%s.kora.internal" .name | quote }}]
  addresses: [{{ .of.host | quote }}]
  endpoints:
    - address: {{ .of.host | quote }}
  resolution: STATIC
  {{- else }}
  hosts: [{{ lower .of.host | quote }}]
  resolution: DNS
  {{- end }}
  ports:
    - number: {{ int .of.port }}
      name: {{ printf "%s-%s" (lower .protocol) (trimPrefix "kora-" .name) }}
      protocol: {{ .protocol }}
{{- end }}

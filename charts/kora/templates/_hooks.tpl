{{/*
kora.hookJob makes a Job run before an install or upgrade (PreSync under Argo
CD) and stay when it fails: only the next run replaces it (R24).
*/}}
{{- define "kora.hookJob" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation
{{- end }}

{{/* kora.hookSupport is for what a hook Job needs: made before it, and gone once all hooks have succeeded. */}}
{{- define "kora.hookSupport" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: "-20"
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end }}

{{/* kora.hookPodLabels keep the mesh out: with a sidecar a Job might never end, and there may be no mesh yet. */}}
{{- define "kora.hookPodLabels" -}}
{{ include "kora.podLabels" . }}
sidecar.istio.io/inject: "false"
{{- end }}

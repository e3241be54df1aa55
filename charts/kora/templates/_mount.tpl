{{/*
kora.mountPlacement bears the taints that sandboxes and session-managers bear
(R31). Where both have a node selector, it keeps to those nodes: a privileged pod
has no business on any other.
*/}}
{{- define "kora.mountPlacement" -}}
{{- $tolerations := list }}
{{- $terms := list }}
{{- range list "sandbox" "sessionManager" }}
{{- $workload := include "kora.workload" (dict "root" $ "name" .) | fromYaml }}
{{- $tolerations = concat $tolerations ($workload.tolerations | default list) }}
{{- $expressions := list }}
{{- range $key, $value := $workload.nodeSelector }}
{{- $expressions = append $expressions (dict "key" $key "operator" "In" "values" (list $value)) }}
{{- end }}
{{- if $expressions }}
{{- $terms = append $terms (dict "matchExpressions" $expressions) }}
{{- end }}
{{- end }}
{{- with concat $tolerations (.Values.sandboxMount.tolerations | default list) | uniq }}
tolerations:
  {{- include "kora.yaml" . | nindent 2 }}
{{- end }}
{{- if eq (len $terms) 2 }}
affinity:
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      nodeSelectorTerms:
        {{- include "kora.yaml" ($terms | uniq) | nindent 8 }}
{{- end }}
{{- end }}

{{/*
kora.mountNamespaceIsOurs tells whether this release made the namespace of the node
agent before. It then stays in the release, whatever the values say now: Helm 3
cannot roll back to a revision that has an object which the present one has not, and
the cluster still has. Without a cluster, as under helm template, it is false.
*/}}
{{- define "kora.mountNamespaceIsOurs" -}}
{{- $made := dig "metadata" "annotations" dict (lookup "v1" "Namespace" "" "kora-sandbox-mount" | default dict) }}
{{- and (eq (get $made "meta.helm.sh/release-name") .Release.Name) (eq (get $made "meta.helm.sh/release-namespace") .Release.Namespace) }}
{{- end }}

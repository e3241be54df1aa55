{{/* Blocks of addresses are networks in their own form, which the schema knows by their looks alone (R25). */}}
{{- define "kora.check.networks" -}}
{{- range $i, $service := .Values.networkPolicy.externalServices }}
{{- include "kora.check.cidr" (dict "path" (printf "networkPolicy.externalServices[%d].cidr" $i) "given" (get $service "cidr")) }}
{{- end }}
{{- $over := get (.Values.operator.configOverrides | default dict) "internal/operator" }}
{{- range $i, $cidr := kindIs "map" $over | ternary (get (kindIs "map" $over | ternary $over dict) "collectorCIDRs" | default list) list }}
{{- $path := printf "operator.configOverrides[\"internal/operator\"].collectorCIDRs[%d]" $i }}
{{- if hasSuffix "/0" (toString $cidr) }}
{{ $path }}: {{ printf "%q" $cidr }} is not the block of addresses of a collector: write it as 203.0.113.0/28, and never as all addresses
{{- else if kindIs "string" $cidr }}
{{- include "kora.check.cidr" (dict "path" $path "given" $cidr) }}
{{- end }}
{{- end }}
{{- range $i, $cidr := .Values.networkPolicy.kubernetesApiCidrs }}
{{- include "kora.check.cidr" (dict "path" (printf "networkPolicy.kubernetesApiCidrs[%d]" $i) "given" $cidr) }}
{{- end }}
{{- end }}

{{/* kora.check.cidr judges one: (dict "path" PATH "given" TEXT). */}}
{{- define "kora.check.cidr" -}}
{{- $text := toString .given }}
{{- $bits := regexFind "/(0|[1-9][0-9]{0,2})$" $text | trimPrefix "/" }}
{{- $address := trimSuffix (printf "/%s" $bits) $text }}
{{- $octets := regexFind "^(0|[1-9][0-9]{0,2})([.](0|[1-9][0-9]{0,2})){3}$" $address | splitList "." }}
{{- $groups := include "kora.groups" (regexFind "^[0-9a-fA-F:.]*:[0-9a-fA-F:.]*$" $address) | fromJsonArray }}
{{- if and $bits (eq (len $octets) 4) (le (int $bits) 32) (le (int (index $octets 0)) 255) (le (int (index $octets 1)) 255) (le (int (index $octets 2)) 255) (le (int (index $octets 3)) 255) }}
{{- $network := include "kora.network4" (dict "octets" $octets "bits" $bits) }}
{{- if ne $network $text }}
{{ .path }}: {{ printf "%q" $text }} is an address in a network and not the network: write {{ $network }}, or {{ join "." $octets }}/32 for the one address
{{- end }}
{{- else if and $bits (le (int $bits) 128) (eq (len $groups) 8) }}
{{- if eq (join "," (slice $groups 0 6)) "0,0,0,0,0,65535" }}
{{ .path }}: {{ printf "%q" $text }} is a block of IPv4 in the form of IPv6
{{- else if ne (include "kora.masked6" (dict "groups" $groups "bits" $bits)) "true" }}
{{ .path }}: {{ printf "%q" $text }} is an address in a network and not the network
{{- end }}
{{- else }}
{{ .path }}: {{ printf "%q" $text }} is not a block of addresses, such as 10.20.0.0/24 or 2001:db8::/32
{{- end }}
{{- end }}

{{/* kora.network4 is the network that an IPv4 address is in: (dict "octets" LIST "bits" TEXT). */}}
{{- define "kora.network4" -}}
{{- $number := 0 }}
{{- range .octets }}{{ $number = add (mul $number 256) (int .) }}{{ end }}
{{- $size := 1 }}
{{- range until (int (sub 32 (int .bits))) }}{{ $size = mul $size 2 }}{{ end }}
{{- $number = sub $number (mod $number $size) }}
{{- printf "%d.%d.%d.%d/%s" (div $number 16777216) (mod (div $number 65536) 256) (mod (div $number 256) 256) (mod $number 256) .bits }}
{{- end }}

{{/* kora.groups are the eight numbers of an IPv6 address as a JSON list, a shorter one where it is none. */}}
{{- define "kora.groups" -}}
{{- $text := . }}
{{- with regexFind "(0|[1-9][0-9]{0,2})([.](0|[1-9][0-9]{0,2})){3}$" $text }}
{{- $tail := list }}
{{- range splitList "." . }}{{ if le (int .) 255 }}{{ $tail = append $tail (int .) }}{{ end }}{{ end }}
{{- if eq (len $tail) 4 }}
{{- $text = printf "%s%02x%02x:%02x%02x" (trimSuffix . $text) (index $tail 0) (index $tail 1) (index $tail 2) (index $tail 3) }}
{{- end }}
{{- end }}
{{- $halves := splitList "::" $text }}
{{- $groups := list }}
{{- if le (len $halves) 2 }}
{{- $before := splitList ":" (first $halves) }}
{{- if eq (len $halves) 2 }}
{{- $before = without $before "" }}
{{- $after := without (splitList ":" (last $halves)) "" }}
{{- $zeros := list }}
{{- range until (max 0 (int (sub 8 (add (len $before) (len $after)))) | int) }}{{ $zeros = append $zeros "0" }}{{ end }}
{{- if $zeros }}{{ $before = concat $before $zeros $after }}{{ else }}{{ $before = list }}{{ end }}
{{- end }}
{{- range $before }}
{{- if regexMatch "^[0-9a-fA-F]{1,4}$" . }}{{ $groups = append $groups (int64 (printf "0x%s" .)) }}{{ end }}
{{- end }}
{{- if ne (len $groups) (len $before) }}{{ $groups = list }}{{ end }}
{{- if regexMatch "(^:[^:]|[^:]:$|:::)" $text }}{{ $groups = list }}{{ end }}
{{- end }}
{{- $groups | toJson }}
{{- end }}

{{/* kora.masked6 tells whether all behind the prefix is zero: (dict "groups" LIST "bits" TEXT). */}}
{{- define "kora.masked6" -}}
{{- $masked := true }}
{{- range $i, $group := .groups }}
{{- $size := 1 }}
{{- range until (min 16 (max 0 (sub (mul 16 (add1 $i)) (int $.bits))) | int) }}{{ $size = mul $size 2 }}{{ end }}
{{- if ne (mod (int64 $group) $size) 0 }}{{ $masked = false }}{{ end }}
{{- end }}
{{- $masked }}
{{- end }}

{{/* The node agent listens on its nodes, where others listen too (R31). */}}
{{- define "kora.check.mountPort" -}}
{{- $port := int .Values.sandboxMount.port }}
{{- $owner := get (include "kora.hostPorts" . | fromYaml) (toString $port) }}
{{- if lt $port 1024 }}
sandboxMount.port: the port {{ $port }} is one of those that a node keeps for itself: use a free port of the nodes from 1024 on, such as 20490
{{- else if $owner }}
sandboxMount.port: the port {{ $port }} of a node belongs to {{ $owner }}: use a free port of the nodes from 1024 on, such as 20490
{{- else if and .Values.sandboxMount.enabled (has (toString $port) (concat (include "kora.reachedPorts" . | splitList " ") (empty .Values.global.observability.otlpEndpoint | ternary list (list (include "kora.collectorPort" .))))) }}
sandboxMount.port: sandboxMount.port is a port that agents must reach, and the NFS port is one that they never may: choose another, such as 20490
{{- end }}
{{- end }}

{{/* kora.reachedPorts are those of kora's own that agents must reach: with one of them for NFS the operator does not start. */}}
{{- define "kora.reachedPorts" -}}
53 15012 8443 8080
{{- end }}

{{/* kora.hostPorts are what a node of Kubernetes listens on. The plugin has the same, and a test compares the two. */}}
{{- define "kora.hostPorts" -}}
"2379": etcd
"2380": etcd
"6443": the Kubernetes API
"10248": the kubelet
"10249": kube-proxy
"10250": the kubelet
"10255": the kubelet
"10256": kube-proxy
"10257": kube-controller-manager
"10259": kube-scheduler
{{- end }}

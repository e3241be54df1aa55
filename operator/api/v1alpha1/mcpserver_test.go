package v1alpha1_test

import (
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

const mcpServer = `
apiVersion: runkora.io/v1alpha1
kind: MCPServer
metadata: { name: jira }
spec:
  url: https://mcp.example.com/v1
  transport: streamable-http
  connectionRef: { name: jira }
  tools: { allow: [get_issue, search], deny: [delete_issue] }
`

// R51; security.md: references never cross namespaces.
func TestMCPServerRules(t *testing.T) {
	try(t, v1alpha1.MCPServers, mcpServer, []rule{
		{"as it is", ``, ""},
		{"the least", `spec: { transport: null, connectionRef: null, tools: null }`, ""},
		{"a Service", `spec: { url: null, connectionRef: null, serviceRef: { name: jira-tools, port: 8080, path: /mcp } }`, ""},
		{"sse", `spec: { transport: sse }`, ""},

		{"both", `spec: { connectionRef: null, serviceRef: { name: jira-tools, port: 8080 } }`, "spec: Invalid value: …exactly one of url and serviceRef is required"},
		{"neither", `spec: { url: null, connectionRef: null }`, "exactly one of url and serviceRef is required"},
		{"a Service by a connection", `spec: { url: null, serviceRef: { name: jira-tools, port: 8080 } }`, "spec.connectionRef: Forbidden: connectionRef is only for url"},
		{"http", `spec: { url: "http://mcp.example.com/v1" }`, "spec.url: Invalid value: …url must be an https URL"},
		{"a user", `spec: { url: "https://me:secret@mcp.example.com/v1" }`, "without user and fragment"},
		{"a fragment", `spec: { url: "https://mcp.example.com/v1#a" }`, "without user and fragment"},
		{"an address", `spec: { url: "https://10.0.0.1/v1" }`, "with a DNS name as its host"},
		{"a Service's URL", `spec: { url: "https://jira.kora-tenant-other.svc:8443/mcp" }`, "url must be outside the cluster: for a Service of this namespace use serviceRef"},
		{"a Service's URL in full", `spec: { url: "https://jira.kora-tenant-other.svc.cluster.local" }`, "url must be outside the cluster"},
		{"a Service of another namespace", `spec: { url: null, connectionRef: null, serviceRef: { name: jira, namespace: other, port: 80 } }`, `unknown field "spec.serviceRef.namespace"`},
		{"a Service's name with a namespace in it", `spec: { url: null, connectionRef: null, serviceRef: { name: jira.other, port: 80 } }`, "name must be a Service's name without its namespace"},
		{"port 0", `spec: { url: null, connectionRef: null, serviceRef: { name: jira, port: 0 } }`, "spec.serviceRef.port"},
		{"port 65536", `spec: { url: null, connectionRef: null, serviceRef: { name: jira, port: 65536 } }`, "should be less than or equal to 65535"},
		{"a path without its slash", `spec: { url: null, connectionRef: null, serviceRef: { name: jira, port: 80, path: mcp } }`, "path must begin with '/'"},
		{"a transport that is none", `spec: { transport: stdio }`, `supported values: "streamable-http", "sse"`},
		{"a tool in both lists", `spec: { tools: { allow: [search], deny: [search] } }`, "spec.tools: Invalid value: …tools: a name stands in allow and in deny"},
		{"a pattern of tools", `spec: { tools: { allow: ["get_*"] } }`, "patterns are not read, list each tool"},
		{"a filter of nothing", `spec: { tools: { allow: null, deny: null } }`, "spec.tools"},
		{"a tool twice", `spec: { tools: { allow: [search, search] } }`, "Duplicate value"},
	})
}

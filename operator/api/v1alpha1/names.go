package v1alpha1

// The resources of the kinds, as URLs, RBAC rules and kubectl name them.
const (
	KoraTenants    = "koratenants"
	Connections    = "connections"
	OAuthClients   = "oauthclients"
	MCPServers     = "mcpservers"
	ModelProviders = "modelproviders"
	SandboxImages  = "sandboximages"
)

const (
	// TenantNamespacePrefix is what a tenant's namespace puts before its name.
	TenantNamespacePrefix = "kora-tenant-"
	// MaxTenantName leaves room for the prefix in a namespace's 63 characters.
	MaxTenantName = 63 - len(TenantNamespacePrefix)
	// MaxName is the longest name of a namespaced kind. It is a part of the names
	// and labels of what the operator makes of it, which end at 63.
	MaxName = 50
)

// TenantNamespace is the namespace of a tenant: kora-tenant-<name>.
func TenantNamespace(tenant string) string { return TenantNamespacePrefix + tenant }

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

// Labels and annotations that the operator puts on what it makes.
const (
	// LabelTenant is the tenant's name, on its namespace and on all in it.
	LabelTenant = "runkora.io/tenant"
	// LabelManagedBy is Operator on all that the operator keeps as it is.
	LabelManagedBy = "app.kubernetes.io/managed-by"
	// LabelPartOf is "kora".
	LabelPartOf = "app.kubernetes.io/part-of"
	// LabelBundled marks the SandboxImages that the operator made, with their name.
	// Without it, or LabelManagedBy, an image is its tenant's (R53).
	LabelBundled = "runkora.io/bundled"
	// AnnotationTenantUID on a namespace is the UID of the KoraTenant that it was
	// made for, or "retained" (R50). It proves nothing: anybody can write it.
	AnnotationTenantUID = "runkora.io/tenant-uid"
	// AnnotationMark on a namespace is the operator's keyed mark that it made it; on the
	// Secret and the ConfigMap of a tenant's certificate authority, that it wrote what is
	// in them (R50); on a SandboxImage, that it read what the status says (R52); on a
	// KoraTenant it is what nobody knows who has not read that (R54).
	AnnotationMark = "runkora.io/made-by"
	// AnnotationAuthorityMarked on a namespace is the operator's keyed mark that the
	// tenant's certificate authority has marks: one without is not taken for it (R50).
	AnnotationAuthorityMarked = "runkora.io/authority-marked"
	// AnnotationNamespaceUID on a KoraTenant is the UID of its namespace (R50): by it
	// everybody knows the namespace that is the tenant's. The operator writes it, and a
	// person who hands over a namespace.
	AnnotationNamespaceUID = "runkora.io/namespace-uid"
	// AnnotationConfirmDeletion on a KoraTenant lets it be deleted though its namespace
	// holds more than kora made. Its value is the tenant's name, a dot and a digest of
	// what would go, as the denial and the status give it.
	AnnotationConfirmDeletion = "runkora.io/confirm-deletion"
	// AnnotationPullSecret is on copies of pull Secrets: the Secret that it is of.
	AnnotationPullSecret = "runkora.io/copy-of"
	// TenantCA is the Secret with a tenant's certificate authority, and the
	// ConfigMap with its certificates alone, under the key ca.crt.
	TenantCA = "kora-tenant-ca"
	// EgressCA is the Secret with the intermediate by which kora-egress stands in
	// for servers: tls.crt and tls.key sign, ca.crt verifies.
	EgressCA = "kora-egress-ca"
	// Operator is the value of LabelManagedBy, the field owner of what the operator
	// applies, and the name of its Deployment, Lease and ServiceAccount.
	Operator = "kora-operator"
	// Finalizer holds a KoraTenant until what it leaves behind is settled.
	Finalizer = "runkora.io/tenant"
)

// BundledImages are the names that kora's own SandboxImages may have in a tenant's
// namespace (R30, R53). Which of them are there the settings say.
var BundledImages = []string{"kora-base", "kora-go", "kora-node", "kora-python"}

package main

// The rights of the operator, and who needs them. From here controller-gen makes
// rbac.yaml (go -C tools/generate run .), and a test holds the chart's roles to
// it, rule for rule. What stands without a namespace is the ClusterRole
// kora-operator, "tenant" is kora-operator-tenant, which the operator binds in
// each tenant's namespace, and "system" is the Role kora-operator of its own. What
// preflight reads is in a role of its own (R55).
//
// Tenants (R50): the finalizer is a patch, and a namespace is made, labelled and
// deleted. Roles are handed out, also to itself, and no others. What is watched
// everywhere is written only in tenants' namespaces.
//
// +kubebuilder:rbac:groups=runkora.io,resources=koratenants,verbs=get;list;watch;patch
// +kubebuilder:rbac:groups=runkora.io,resources=koratenants/status,verbs=patch
// +kubebuilder:rbac:groups="",resources=namespaces,verbs=get;list;watch;create;patch;delete
// +kubebuilder:rbac:groups=rbac.authorization.k8s.io,resources=rolebindings,verbs=get;list;watch;create;patch;update;delete
// +kubebuilder:rbac:groups=rbac.authorization.k8s.io,resources=clusterroles,resourceNames=kora-operator-tenant;kora-agents-tenant;kora-egress-tenant,verbs=bind
// +kubebuilder:rbac:groups="",resources=serviceaccounts,verbs=get;list;watch
// +kubebuilder:rbac:groups=networking.k8s.io,resources=networkpolicies,verbs=get;list;watch
// +kubebuilder:rbac:groups="",resources=configmaps,resourceNames=kora-opa;kora-tenant-ca,verbs=list;watch
// +kubebuilder:rbac:namespace=tenant,groups="",resources=configmaps,verbs=get;list;create;patch;update;delete
// +kubebuilder:rbac:namespace=tenant,groups="",resources=secrets,verbs=get;list;create;update;delete
// +kubebuilder:rbac:namespace=tenant,groups="",resources=serviceaccounts,verbs=create;patch
// +kubebuilder:rbac:namespace=tenant,groups="",resources=persistentvolumeclaims;pods;replicationcontrollers,verbs=list
// +kubebuilder:rbac:namespace=tenant,groups=apps,resources=deployments;replicasets,verbs=list
// +kubebuilder:rbac:namespace=tenant,groups=batch,resources=cronjobs;jobs,verbs=list
// +kubebuilder:rbac:namespace=tenant,groups=networking.k8s.io,resources=networkpolicies,verbs=create;patch;update;delete
// +kubebuilder:rbac:namespace=system,groups="",resources=secrets,verbs=get
//
// Registries (R51): how many ConfigMaps there are is not known beforehand. Services
// read the Secrets that entries name by a Role of exactly these names, in the
// tenant's namespace. The operator may write such a Role since it reads Secrets
// there itself: without "escalate", and "bind" on Roles, the API server lets it
// hand out nothing that it does not hold. Services are those that MCPServers name.
//
// +kubebuilder:rbac:groups=rbac.authorization.k8s.io,resources=roles,verbs=get;list;watch
// +kubebuilder:rbac:namespace=tenant,groups=rbac.authorization.k8s.io,resources=roles,verbs=create;patch;update;delete
// +kubebuilder:rbac:groups="",resources=services,verbs=get;list;watch
// +kubebuilder:rbac:groups=runkora.io,resources=connections;oauthclients;mcpservers;modelproviders,verbs=get;list;watch
// +kubebuilder:rbac:groups=runkora.io,resources=connections/status;oauthclients/status;mcpservers/status;modelproviders/status,verbs=patch
// +kubebuilder:rbac:groups=networking.istio.io,resources=serviceentries,verbs=get;list;watch
// +kubebuilder:rbac:namespace=tenant,groups=networking.istio.io,resources=serviceentries,verbs=create;patch;delete
// +kubebuilder:rbac:namespace=system,groups="",resources=configmaps,verbs=get;list;watch;create;patch;delete
// +kubebuilder:rbac:namespace=system,groups="",resources=secrets,verbs=create
//
// Sandbox images (R52, R53): a DaemonSet is owned by its image, which blocks.
//
// +kubebuilder:rbac:groups=runkora.io,resources=sandboximages,verbs=get;list;watch;create;patch;delete
// +kubebuilder:rbac:groups=runkora.io,resources=sandboximages/status,verbs=patch
// +kubebuilder:rbac:groups=runkora.io,resources=sandboximages/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=daemonsets,verbs=get;list;watch
// +kubebuilder:rbac:namespace=tenant,groups=apps,resources=daemonsets,verbs=create;patch;delete
// +kubebuilder:rbac:namespace=tenant,groups="";events.k8s.io,resources=events,verbs=create;patch
//
// The node agent's pull Secrets (R21, R31): "mount" is the Role kora-operator-pulls
// in the namespace kora-sandbox-mount, where there are no other Secrets.
//
// +kubebuilder:rbac:namespace=mount,groups="",resources=secrets,verbs=get;list;create;update;delete
//
// Admission (R54): agents are counted before a tenant goes. The two fields of its
// own webhooks are applied. Of Secrets the metadata of their authority is watched.
//
// +kubebuilder:rbac:groups=apps,resources=statefulsets,verbs=get;list;watch
// +kubebuilder:rbac:groups=admissionregistration.k8s.io,resources=mutatingwebhookconfigurations;validatingwebhookconfigurations,verbs=list;watch
// +kubebuilder:rbac:groups=admissionregistration.k8s.io,resources=mutatingwebhookconfigurations;validatingwebhookconfigurations,resourceNames=kora-operator,verbs=get;patch
// +kubebuilder:rbac:namespace=system,groups="",resources=secrets,resourceNames=kora-operator-webhook-ca,verbs=list;watch;update
// +kubebuilder:rbac:namespace=system,groups=discovery.k8s.io,resources=endpointslices,verbs=get;list;watch
// +kubebuilder:rbac:namespace=system,groups="";events.k8s.io,resources=events,verbs=create;patch
//
// The manager: leader election. A create names nothing yet.
//
// +kubebuilder:rbac:namespace=system,groups=coordination.k8s.io,resources=leases,verbs=create
// +kubebuilder:rbac:namespace=system,groups=coordination.k8s.io,resources=leases,resourceNames=kora-operator,verbs=get;update

package environment

import corev1 "k8s.io/api/core/v1"

// Environment is what differs from one cluster to the next. The tag about is
// the description in defaults.yaml and in the schema; form names the rule of a
// text, in forms.go; a field of the tag default:"…" has that value when the file
// leaves it out; required fields have none.
type Environment struct {
	TrustDomain      string    `json:"trustDomain" form:"trust domain" required:"true" about:"The SPIFFE trust domain of SPIRE, Istio and kora. Permanent: changing it later is an identity migration."`
	FrontendHost     string    `json:"frontendHost" form:"host" required:"true" about:"The dashboard's host; api.<frontendHost> is the host of the APIs."`
	ClusterName      string    `json:"clusterName" form:"name" default:"kora" about:"The cluster's name in SPIRE: part of how nodes prove what they are."`
	SystemNamespace  string    `json:"systemNamespace" form:"system namespace" default:"kora-system" about:"The namespace of the platform services."`
	ImageRegistry    string    `json:"imageRegistry" form:"registry" about:"Where kora's images come from; empty: what kora.yaml says, or ghcr.io/runkora."`
	ImagePullSecrets []string  `json:"imagePullSecrets" form:"name" about:"Names of Secrets in the system namespace that pull kora's images; the operator copies them to every tenant."`
	Theme            string    `json:"theme" form:"file" about:"A theme.yaml beside the values file kora.yaml: its path from there. Empty: no theme."`
	Workspace        Workspace `json:"workspace" about:"The volumes of agents. They cannot change for an agent type that is already there."`
	NodePools        NodePools `json:"nodePools" about:"Where session-managers and sandboxes run. Empty: anywhere."`
	SPIRE            SPIRE     `json:"spire" about:"What SPIRE needs to know of the cluster."`
	Istio            Istio     `json:"istio" about:"What Istio needs to know of the cluster."`
	Charts           Charts    `json:"charts" about:"Where charts come from. An air-gapped cluster names its mirrors here."`
	ArgoCD           ArgoCD    `json:"argocd" about:"What only the app-of-apps needs. Helmfile passes it over."`
}

// Workspace is agents.workspace of the chart.
type Workspace struct {
	StorageClassName string   `json:"storageClassName" form:"dns name" about:"Empty: what kora.yaml says, or the cluster's default class."`
	AccessModes      []string `json:"accessModes" form:"access mode" about:"ReadWriteMany where sandboxes have nodes of their own; empty: what kora.yaml says, or ReadWriteOnce."`
	Size             string   `json:"size" form:"size" about:"The size of each volume; empty: what kora.yaml says, or 10Gi."`
}

// NodePools place the two kinds of agents' pods.
type NodePools struct {
	SessionManager Pool `json:"sessionManager" about:"agents.workloads.sessionManager of the chart."`
	Sandbox        Pool `json:"sandbox" about:"agents.workloads.sandbox of the chart. On nodes of their own the workspace has to be ReadWriteMany."`
}

// Pool admits pods to nodes.
type Pool struct {
	NodeSelector map[string]string   `json:"nodeSelector" about:"The labels of the nodes."`
	Tolerations  []corev1.Toleration `json:"tolerations" about:"The taints that keep others off them."`
}

// SPIRE is what the values of the spire chart take from the cluster.
type SPIRE struct {
	StorageClassName string `json:"storageClassName" form:"dns name" about:"The class of the server's volume; empty is the cluster's default."`
	Size             string `json:"size" form:"size" default:"1Gi" about:"The size of the server's volume."`
	ImageRegistry    string `json:"imageRegistry" form:"registry" about:"A mirror of every image of the spire chart; empty: the chart's own registries."`
	KubeletPath      string `json:"kubeletPath" form:"absolute path" default:"/var/lib/kubelet" about:"Where the kubelet keeps its files on the nodes."`
}

// Istio is what the values of Istio's charts take from the cluster.
type Istio struct {
	Revision              string `json:"revision" form:"name" about:"The revision of a revisioned control plane; empty is the default one."`
	OutboundTrafficPolicy string `json:"outboundTrafficPolicy" form:"outbound policy" about:"REGISTRY_ONLY where the mesh restricts egress; empty is ALLOW_ANY."`
	Platform              string `json:"platform" form:"platform" about:"Istio's name for a Kubernetes that needs settings of its own: gke, k3s, k3d, microk8s, minikube, openshift."`
	ImageHub              string `json:"imageHub" form:"registry" about:"A mirror of Istio's images, such as registry.example.com/istio; empty: the charts' own."`
	CNI                   CNI    `json:"cni" about:"Where the network plugins are on the nodes."`
}

// CNI is where the nodes keep their network plugins.
type CNI struct {
	BinDir  string `json:"binDir" form:"absolute path" about:"Empty: what the platform has, or /opt/cni/bin."`
	ConfDir string `json:"confDir" form:"absolute path" about:"Empty: what the platform has, or /etc/cni/net.d."`
}

// Charts are three repositories: each an https://, http:// or oci:// URL.
type Charts struct {
	Kora  string `json:"kora" form:"chart repository" default:"oci://ghcr.io/runkora/charts" about:"Of kora-crds and kora."`
	SPIRE string `json:"spire" form:"chart repository" default:"https://spiffe.github.io/helm-charts-hardened/" about:"Of spire-crds and spire."`
	Istio string `json:"istio" form:"chart repository" default:"https://istio-release.storage.googleapis.com/charts" about:"Of base, cni and istiod."`
}

// ArgoCD says where Argo CD is and what it reads.
type ArgoCD struct {
	Namespace   string      `json:"namespace" form:"name" default:"argocd" about:"Argo CD's own namespace: where Applications are and argocd-cm is."`
	Project     string      `json:"project" form:"name" default:"default" about:"The AppProject of every Application."`
	Destination string      `json:"destination" form:"server" default:"https://kubernetes.default.svc" about:"The API server that everything is installed into, as Argo CD knows it."`
	Apps        Repository  `json:"apps" about:"The repository that holds the generated folder argocd/apps."`
	Values      Repository  `json:"values" about:"The repository that holds kora.yaml and a theme."`
	Tenants     Repository  `json:"tenants" about:"The repository that holds KoraTenants, Connections and the like. Without a url there is no Application of tenants."`
	SyncOptions []string    `json:"syncOptions" form:"sync option" about:"Further options for every Application, such as PruneLast=true."`
	Retry       RetryLimits `json:"retry" about:"How often a sync that fails is tried again."`
	Automated   bool        `json:"automated" default:"true" about:"Whether Argo CD syncs by itself. Without it the waves of children do not go on by themselves."`
	SelfHeal    bool        `json:"selfHeal" default:"true" about:"Whether Argo CD undoes what others change in the cluster."`
}

// Repository is a place in a git repository.
type Repository struct {
	URL      string `json:"url" form:"git url" about:"Without a user or a password: Argo CD keeps those of a repository itself."`
	Path     string `json:"path" form:"path" about:"The folder in the repository; empty is its root."`
	Revision string `json:"revision" form:"revision" default:"HEAD" about:"A branch, a tag or a commit."`
}

// RetryLimits are those of an Application.
type RetryLimits struct {
	Limit       int64  `json:"limit" default:"10" about:"How many times; -1 is without end."`
	Duration    string `json:"duration" form:"duration" default:"10s" about:"The first pause; each further one is twice as long."`
	MaxDuration string `json:"maxDuration" form:"duration" default:"5m" about:"The longest pause."`
}

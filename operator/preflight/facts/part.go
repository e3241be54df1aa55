package facts

// Part is one thing that was looked for.
type Part[T any] struct {
	Value T `json:"value"`
	// Missing says why Value is not known, in one sentence; empty when it is.
	Missing string `json:"missing,omitempty"`
	// Unasked is that nobody wanted to know it.
	Unasked bool `json:"unasked,omitempty"`
}

// Known makes a part of a value.
func Known[T any](value T) Part[T] { return Part[T]{Value: value} }

// Unknown makes a part that could not be read.
func Unknown[T any](why string) Part[T] { return Part[T]{Missing: why} }

// Nothing is a look that saw nothing, for one reason: no part is there.
func Nothing(why string) *Facts {
	return &Facts{
		Kubernetes: Unknown[string](why), Namespaces: Unknown[map[string]Namespace](why), Nodes: Unknown[[]Node](why),
		DaemonSets: Unknown[[]DaemonSet](why), Revisions: Unknown[[]Revision](why), Tags: Unknown[map[string]string](why), Injectors: Unknown[[]Injector](why),
		Spire: Spire{
			Class: Unknown[string](why), Manager: Unknown[Manager](why), TrustDomains: Unknown[map[string]string](why), SDS: Unknown[SDS](why),
			IDs: Unknown[[]SpiffeID](why), CSI: Unknown[bool](why),
		},
		Definitions: Unknown[map[string][]string](why), StorageClasses: Unknown[[]StorageClass](why), RuntimeClasses: Unknown[map[string]*RuntimeClass](why),
		Database: Unknown[Database](why), Redis: Unknown[Redis](why), Privileged: Unknown[Answer](why), Release: Unknown[[]Answer](why),
	}
}

// Facts is everything that the checks look at.
type Facts struct {
	// Form is the version of this form, for files: FormVersion.
	Form int `json:"form"`
	// Asked is for what was looked; nil where a file does not say so.
	Asked *Asked `json:"asked,omitempty"`
	// Cluster is where was looked; nil where a file does not say so.
	Cluster        *Cluster                       `json:"cluster,omitempty"`
	Kubernetes     Part[string]                   `json:"kubernetes"` // its git version, such as v1.36.3
	Namespaces     Part[map[string]Namespace]     `json:"namespaces"` // those that were asked for and exist
	Nodes          Part[[]Node]                   `json:"nodes"`
	DaemonSets     Part[[]DaemonSet]              `json:"daemonSets"` // SPIRE's, its CSI driver's and Istio's CNI
	Revisions      Part[[]Revision]               `json:"istioRevisions"`
	Tags           Part[map[string]string]        `json:"istioTags"` // tag -> revision
	Injectors      Part[[]Injector]               `json:"istioInjectors"`
	Spire          Spire                          `json:"spire"`
	Strangers      []Stranger                     `json:"strangers,omitempty"`
	Definitions    Part[map[string][]string]      `json:"definitions"` // CRD name -> versions that are served
	StorageClasses Part[[]StorageClass]           `json:"storageClasses"`
	RuntimeClasses Part[map[string]*RuntimeClass] `json:"runtimeClasses"` // those that agents name; nil: it is not there
	Secrets        map[string]Part[*Secret]       `json:"secrets"`        // namespace/name; nil: it is not there
	Database       Part[Database]                 `json:"database"`
	Redis          Part[Redis]                    `json:"redis"`
	Privileged     Part[Answer]                   `json:"privileged"` // of a privileged pod, where sandboxMount needs one
	Release        Part[[]Answer]                 `json:"release"`    // of each object that would be installed
}

// Cluster is a cluster's name to people: the context of a kubeconfig and the address
// of the API server, without a password. Each may be empty.
type Cluster struct {
	Context string `json:"context,omitempty"`
	Server  string `json:"server,omitempty"`
}

// FormVersion is the one that this kora writes and reads.
const FormVersion = 1

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// R52, R53. The reference names its registry: what "busybox" means is the node's
// configuration's to say, and the operator would ask another registry than it.

// SandboxImage is an image that a tenant's environments may choose. It runs as uid
// 100 and carries the label io.runkora.sandbox.base, as every image does that is
// built from kora-sandbox-base.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=sandboximages,singular=sandboximage,scope=Namespaced,shortName=sbi,categories=kora
// +kubebuilder:printcolumn:name="Valid",type=string,JSONPath=`.status.conditions[?(@.type=='Valid')].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=='Valid')].reason`
// +kubebuilder:printcolumn:name="Image",type=string,JSONPath=`.spec.image`
// +kubebuilder:printcolumn:name="Warm",type=boolean,JSONPath=`.spec.warm`
// +kubebuilder:printcolumn:name="Digest",type=string,priority=1,JSONPath=`.status.digest`
// +kubebuilder:printcolumn:name="Checked",type=date,JSONPath=`.status.checkedAt`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule=`self.metadata.name.matches(r'^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 50`,fieldPath=".metadata",message="metadata.name must be a DNS label of at most 50 characters (lower-case letters, digits and '-'), so that the names made of it fit: choose a shorter or plainer name"
type SandboxImage struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec is the image and how it is used.
	// +required
	Spec SandboxImageSpec `json:"spec"`
	// status is what the operator read from the registry.
	// +optional
	Status SandboxImageStatus `json:"status,omitzero"`
}

// SandboxImageSpec is an image and how it is used.
type SandboxImageSpec struct {
	// image is the reference, with its registry and a tag or a digest, such as
	// "ghcr.io/kora/sandbox-go:1.4.0" or "ghcr.io/kora/sandbox-go@sha256:…". At most 512
	// characters. A moved tag is picked up by new sandboxes after the operator's next read.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:XValidation:rule=`self.matches(r'^((localhost|[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+)(:[1-9][0-9]{0,4})?|[A-Za-z0-9-]+:[1-9][0-9]{0,4})(/[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*)+(:[A-Za-z0-9_][A-Za-z0-9._-]{0,127})?(@sha256:[0-9a-f]{64})?$')`,message="image must be a reference with its registry, in lower case and without a scheme, and with a tag of at most 128 characters or a sha256 digest of 64: write it as ghcr.io/team/image:1.2.3 or ghcr.io/team/image@sha256:..."
	// +kubebuilder:validation:XValidation:rule=`self.contains('@') || self.matches(r':[^/]+$')`,message="image must have a tag or a digest: 'latest' is not assumed; add one, as in ghcr.io/team/image:1.2.3"
	Image string `json:"image"`

	// description is shown to people who choose an image for an environment, such as
	// "Go with buf and golangci-lint." At most 256 characters.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	// +kubebuilder:validation:XValidation:rule=`self.matches(r'^[^\pC\p{Zl}\p{Zp}\x{34f}\x{115f}\x{1160}\x{17b4}\x{17b5}\x{180b}-\x{180d}\x{180f}\x{2800}\x{3164}\x{ffa0}]*$')`,message="description must be one line without control or invisible characters: write one plain sentence"
	Description string `json:"description,omitempty"`

	// warm keeps the image pulled on every node that runs sandboxes, by a DaemonSet in
	// the tenant's namespace: one for all images of the same digest, repository and pull
	// Secrets, for ten different ones of a tenant's own at most. The condition Warm tells.
	// +optional
	// +default=false
	Warm bool `json:"warm,omitempty"`

	// pullSecretRef names a kubernetes.io/dockerconfigjson Secret in the same
	// namespace. The operator reads the registry with it and sandboxes pull with it.
	// The Secrets of the chart's global.imagePullSecrets apply as well.
	// +optional
	PullSecretRef *LocalReference `json:"pullSecretRef,omitempty"`
}

// SandboxImageStatus is what the operator read from the registry. Its condition is
// Valid: an environment cannot select an image that is not. A warm one has Warm as well.
type SandboxImageStatus struct {
	CommonStatus `json:",inline"`

	// digest that the image resolved to, by which sandboxes pull it: "sha256:" and 64
	// hexadecimal digits.
	// +optional
	// +kubebuilder:validation:MaxLength=71
	// +kubebuilder:validation:Pattern=`^sha256:[0-9a-f]{64}$`
	Digest string `json:"digest,omitempty"`

	// platforms that the image has, such as "linux/amd64" and "linux/arm64/v8".
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:MaxLength=64
	Platforms []string `json:"platforms,omitempty"`

	// checkedAt is when the operator read in the registry what the status says. Later
	// reads that find the same do not move it.
	// +optional
	CheckedAt *metav1.Time `json:"checkedAt,omitempty"`
}

// SandboxImageList is a list of images.
//
// +kubebuilder:object:root=true
type SandboxImageList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitzero"`
	Items           []SandboxImage `json:"items"`
}

// Common gives the part of the status that all kinds share.
func (i *SandboxImage) Common() *CommonStatus { return &i.Status.CommonStatus }

package v1alpha1_test

import (
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// The example of deploying-kora: Sandbox images and environments.
const sandboxImage = `
apiVersion: runkora.io/v1alpha1
kind: SandboxImage
metadata: { name: custom-team-go }
spec:
  image: ghcr.io/kora/sandbox-go:1.4.0
  description: Go with buf and golangci-lint.
  warm: true
  pullSecretRef: { name: kora-registry }
`

// image gives a change to the reference.
func image(reference string) string { return `spec: { image: "` + reference + `" }` }

// R52.
func TestSandboxImageRules(t *testing.T) {
	digest := "@sha256:" + strings.Repeat("0a", 32)
	form := "spec.image: Invalid value: …image must be a reference with its registry"
	try(t, v1alpha1.SandboxImages, sandboxImage, []rule{
		{"the document's example", ``, ""},
		{"the least", `spec: { description: null, warm: null, pullSecretRef: null }`, ""},
		{"a digest", image("ghcr.io/kora/sandbox-go" + digest), ""},
		{"a tag and a digest", image("ghcr.io/kora/sandbox-go:1.4.0" + digest), ""},
		{"the local registry of k3d", image("k3d-registry.localhost:5000/kora/sandbox-go:dev"), ""},
		{"a registry of one label with a port", image("registry:5000/sandbox:dev"), ""},
		{"a registry by its address", image("127.0.0.1:5000/sandbox:dev"), ""},

		{"no image", `spec: { image: null }`, "spec.image: Required value"},
		{"neither tag nor digest", image("ghcr.io/kora/sandbox-go"), "image must have a tag or a digest: 'latest' is not assumed"},
		{"a port is no tag", image("registry:5000/sandbox"), "image must have a tag or a digest"},
		{"no registry", image("busybox:1"), form},
		{"no registry but a path", image("kora/sandbox-go:1.4.0"), form},
		{"a scheme", image("https://ghcr.io/kora/sandbox-go:1.4.0"), "without a scheme"},
		{"capitals", image("ghcr.io/Kora/sandbox-go:1.4.0"), form},
		{"a short digest", image("ghcr.io/kora/sandbox-go@sha256:0a0a"), "a sha256 digest of 64"},
		{"a digest of capitals", image("ghcr.io/kora/sandbox-go@sha256:" + strings.Repeat("0A", 32)), form},
		{"another algorithm", image("ghcr.io/kora/sandbox-go@md5:" + strings.Repeat("0a", 16)), form},
		{"a tag of 129", image("ghcr.io/kora/sandbox-go:" + strings.Repeat("a", 129)), "a tag of at most 128 characters"},
		{"a path that climbs", image("ghcr.io/../admin:1"), form},
		{"a user", image("me:secret@ghcr.io/kora/sandbox-go:1"), form},
		{"a space at the end", image("ghcr.io/kora/sandbox-go:1 "), form},
		{"too long", image("ghcr.io/" + strings.Repeat("a", 512) + ":1"), "spec.image: Too long"},

		{"a description of two lines", `spec: { description: "a\nb" }`, "description must be one line"},
		{"a description of 257", `spec: { description: ` + strings.Repeat("a", 257) + ` }`, "spec.description: Too long"},
		{"a pull secret of another namespace", `spec: { pullSecretRef: { namespace: other } }`, `unknown field "spec.pullSecretRef.namespace"`},
		{"a pull secret without a name", `spec: { pullSecretRef: { name: null } }`, "spec.pullSecretRef.name: Required value"},
		{"warm as a string", `spec: { warm: "yes" }`, "spec.warm: Invalid value"},
	})
}

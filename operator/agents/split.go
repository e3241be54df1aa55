package agents

import corev1 "k8s.io/api/core/v1"

// Split is a placement that would leave a sandbox waiting for ever on a workspace
// that is not shared (R9).
type Split struct {
	// Node is a sample node's labels that the session-manager admits and the
	// sandbox does not. Where a matchFields term decides, the node's name is
	// there too, under metadata.name. Keys that the node must not have are absent.
	Node map[string]string
	// Undecided is set, and Node nil, when the terms are too many and too tangled
	// to search within bounds. Callers refuse that as they refuse a split.
	Undecided bool
}

// SplitPlacement reports whether some node is admitted by the session-manager's
// node selector and required node affinity, but not by the sandbox's (R9); nil
// means that none is.
func SplitPlacement(sessionManager, sandbox *corev1.PodSpec) *Split { return nil }

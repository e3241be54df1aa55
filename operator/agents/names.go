package agents

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// Names that values, patches, tests and documents agree on ("Fixed names").
const (
	// SessionManagerContainer is the StatefulSet's own container.
	SessionManagerContainer = "session-manager"
	// SandboxContainer is the sandbox Pod's own container.
	SandboxContainer = "sandbox"
	// WorkspaceVolume is the claim template, and the volume that mounts its claim.
	WorkspaceVolume = "workspace"
	// WorkspacePath is where both pods mount the workspace.
	WorkspacePath = "/workspaces"
	// ScratchVolume is the node-local volume of a pod (R10's disk for a sandbox).
	ScratchVolume = "scratch"
	// SampleRun is the run id of a sandbox in a preview.
	SampleRun = "sample"

	tmpVolume = "tmp"
)

// maxSlug leaves room for "agent-" and the "-<hash>" of at most eleven characters
// that the StatefulSet controller adds in the label controller-revision-hash,
// which like every label value ends at 63.
const maxSlug = 46

// ObjectName is the name of the agent type's StatefulSet, Service,
// ServiceAccount, HorizontalPodAutoscaler and PodDisruptionBudget.
func ObjectName(slug string) string { return "agent-" + slug }

// ClaimName is the name of the workspace claim of the first replica.
func ClaimName(slug string) string { return WorkspaceVolume + "-" + replicaName(slug) }

// SandboxName is the name of the sandbox Pod of one run.
func SandboxName(slug, run string) string { return "sandbox-" + slug + "-" + run }

// replicaName is the pod whose workspace the sample sandbox mounts (R8).
func replicaName(slug string) string { return ObjectName(slug) + "-0" }

// ValidateName reports why an agent slug cannot name objects: it must be a DNS
// label of at most 46 characters.
func ValidateName(slug string) error {
	if err := dnsLabel("agent slug", slug); err != nil {
		return err
	}
	if len(slug) > maxSlug {
		return fmt.Errorf("agent slug %q has %d characters: at most %d leave room for agent-<slug>-<revision> in a label", slug, len(slug), maxSlug)
	}
	return nil
}

// ValidateTypeID reports why an agent type id cannot be the value of the label
// runkora.io/agent-type (R3). Ids need not be DNS labels: the runtime's are its
// database's, and only the label limits them.
func ValidateTypeID(id string) error {
	if id == "" {
		return fmt.Errorf("agent type id is empty")
	}
	return joined("agent type id", id, validation.IsValidLabelValue(id))
}

// ValidateNamespace reports why a namespace cannot hold the objects: it must be a
// DNS label.
func ValidateNamespace(namespace string) error { return dnsLabel("namespace", namespace) }

func dnsLabel(what, value string) error {
	if value == "" {
		return fmt.Errorf("%s is empty", what)
	}
	return joined(what, value, validation.IsDNS1123Label(value))
}

func joined(what, value string, faults []string) error {
	if len(faults) == 0 {
		return nil
	}
	return fmt.Errorf("%s %q: %s", what, value, strings.Join(faults, "; "))
}

package status

import (
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
)

// Kind is the name of an object's kind.
func Kind(o v1alpha1.Object) string { return rules.KindOf(o) }

// Reasons are those that a condition of this kind may have.
func Reasons(kind string) []string {
	all := []string{
		v1alpha1.ReasonSucceeded, v1alpha1.ReasonProgressing, v1alpha1.ReasonSuspended, v1alpha1.ReasonDeleting, v1alpha1.ReasonInvalid,
		v1alpha1.ReasonConflict, v1alpha1.ReasonReferenceNotFound, v1alpha1.ReasonSecretKeyMissing, v1alpha1.ReasonFailed,
	}
	switch kind {
	case "KoraTenant":
		return append(all, v1alpha1.ReasonPartNotReady)
	case "SandboxImage":
		return append(all, v1alpha1.ReasonUnauthorized, v1alpha1.ReasonImageNotFound, v1alpha1.ReasonRegistryUnavailable,
			v1alpha1.ReasonRegistryNotAllowed, v1alpha1.ReasonWrongUser, v1alpha1.ReasonNotSandboxBase, v1alpha1.ReasonPlatformMissing, v1alpha1.ReasonLimitReached)
	case "Connection", "OAuthClient", "MCPServer", "ModelProvider":
		return all
	}
	return nil
}

// Summary is the condition that sums up an object of the kind.
func Summary(o v1alpha1.Object) string {
	if Kind(o) == "SandboxImage" {
		return v1alpha1.ConditionValid
	}
	return v1alpha1.ConditionReady
}

// Parts are the conditions that a kind has besides its summary, in the order in
// which one rests on another.
func Parts(o v1alpha1.Object) []string {
	if Kind(o) != "KoraTenant" {
		return nil
	}
	return []string{v1alpha1.ConditionNamespaceReady, v1alpha1.ConditionCAReady, v1alpha1.ConditionPolicyReady,
		v1alpha1.ConditionRegistriesReady, v1alpha1.ConditionImagesReady}
}

// Beside are the conditions of a kind that its summary does not rest on.
func Beside(o v1alpha1.Object) []string {
	if Kind(o) == "SandboxImage" {
		return []string{v1alpha1.ConditionWarm}
	}
	return nil
}

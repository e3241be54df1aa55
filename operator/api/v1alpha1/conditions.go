package v1alpha1

// The types of conditions. Every kind has Ready, which sums up all others of the
// object; a SandboxImage has Valid in its place.
const (
	ConditionReady = "Ready"
	ConditionValid = "Valid"

	// A warm and valid SandboxImage's: whether it is kept pulled (R52). It has no part in
	// Valid, since an image that is not kept pulled can be used all the same.
	ConditionWarm = "Warm"

	// A KoraTenant's parts (R50).
	ConditionNamespaceReady  = "NamespaceReady"
	ConditionCAReady         = "CAReady"
	ConditionPolicyReady     = "PolicyReady"
	ConditionRegistriesReady = "RegistriesReady"
	ConditionImagesReady     = "ImagesReady"
)

// The reasons of conditions, for all kinds.
const (
	// ReasonSucceeded is the only one of a condition that is True.
	ReasonSucceeded = "Succeeded"
	// ReasonProgressing: not yet, and nothing to do but wait.
	ReasonProgressing = "Progressing"
	// ReasonSuspended: spec.suspended of the tenant is true.
	ReasonSuspended = "Suspended"
	// ReasonDeleting: the object goes; the message says what it waits for.
	ReasonDeleting = "Deleting"
	// ReasonInvalid: a rule that the schema cannot hold; the message names the field.
	ReasonInvalid = "Invalid"
	// ReasonConflict: a name, namespace or domain belongs to somebody else.
	ReasonConflict = "Conflict"
	// ReasonReferenceNotFound: a Secret or Connection that the spec names is not there.
	ReasonReferenceNotFound = "ReferenceNotFound"
	// ReasonSecretKeyMissing: the Secret is there and lacks the key.
	ReasonSecretKeyMissing = "SecretKeyMissing"
	// ReasonPartNotReady: another condition of the object says more.
	ReasonPartNotReady = "PartNotReady"
	// ReasonFailed: the API server refused a write, or answered with an error.
	ReasonFailed = "Failed"
)

// The further reasons of a SandboxImage (R52).
const (
	// ReasonUnauthorized: the registry wants other credentials.
	ReasonUnauthorized = "Unauthorized"
	// ReasonImageNotFound: the registry has no such repository, tag or digest.
	ReasonImageNotFound = "ImageNotFound"
	// ReasonRegistryUnavailable: no answer, or none that a registry gives.
	ReasonRegistryUnavailable = "RegistryUnavailable"
	// ReasonRegistryNotAllowed: a port or address that the operator may not reach.
	ReasonRegistryNotAllowed = "RegistryNotAllowed"
	// ReasonWrongUser: the image does not run as uid 100.
	ReasonWrongUser = "WrongUser"
	// ReasonNotSandboxBase: the image lacks the label io.runkora.sandbox.base.
	ReasonNotSandboxBase = "NotSandboxBase"
	// ReasonLimitReached: as many images of the tenant are kept pulled as may be.
	ReasonLimitReached = "LimitReached"
	// ReasonPlatformMissing: the image has none of the nodes' platforms.
	ReasonPlatformMissing = "PlatformMissing"
)

// Package agents builds the Kubernetes objects of one agent type.
//
// [Settings] in, [Objects] out: [Build] is one pure function, so the preview of
// `kora render` and the runtime of kora-agents cannot drift apart (R1). It needs
// no cluster, no clock and no network (R2). Manifest patches come after it and
// win over what it built (R4); they are another package's business.
//
// The settings' faults are found by small predicates that callers turn into
// messages with a place: [ValidateName], [ValidateTypeID], [ValidateNamespace],
// [Owned] for pod labels and annotations that belong to kora (R11), and
// [SplitPlacement] with [Shared] for a placement that would leave a sandbox
// waiting for ever (R9). Build itself trusts nothing of this to have happened:
// kora's own labels win over any setting.
package agents

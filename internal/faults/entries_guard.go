package faults

// patchGuardEntries are the rules for what a patch may not do to an object.
func patchGuardEntries() []Entry {
	return []Entry{
		{
			Protected, Error, "a protected field is changed",
			"identity, security context, the workspace mount and the injection wiring stay with the platform, whatever way a patch takes to them (R13, R14)",
			"remove the field from the patch; where a setting under agents covers the need, use that",
		},
		{
			PodSecurity, Error, "the patched pod does not meet Pod Security restricted",
			"tenant namespaces enforce the level restricted, so the API server would refuse the pod (R6, R14)",
			"remove what the fault names from the patch",
		},
		{
			AddedContainer, Error, "an added container is not restricted by itself",
			"a container that a patch adds has no defaults of kora, so it brings its own security context (R6, R14)",
			"set allowPrivilegeEscalation: false, capabilities.drop: [ALL], runAsNonRoot: true and seccompProfile.type: RuntimeDefault on the container",
		},
		{
			ObjectDeleted, Error, "an object is deleted",
			"every object of an agent type is needed, and kora would make it again at once (R14)",
			"remove $patch: delete; to change the object, patch its fields",
		},
		{
			ForbiddenVolume, Error, "a volume or variable reaches what is not the agent's",
			"host paths, another agent's workspace, service account tokens and the operator's Secrets would lead out of the sandbox (R14)",
			"use an emptyDir, a ConfigMap, a Secret of the team's own, or a claim of the agent itself",
		},
		{
			ClaimTemplates, Error, "volumeClaimTemplates are edited",
			"the claim is a patch target of its own, and the patched claim is what the StatefulSet holds (R7)",
			"patch the claim: set target.kind to PersistentVolumeClaim",
		},
		{
			SplitByPatch, Error, "patches split the placement of session-manager and sandbox",
			"on a workspace that is not ReadWriteMany the sandbox runs on the session-manager's node, and would wait for ever where it is not admitted (R8, R9)",
			"give both the same node selector and required node affinity, or use a ReadWriteMany workspace",
		},
		{
			UnpinnedSandbox, Error, "the sandbox's pin to its node is removed",
			"on a workspace that is not ReadWriteMany the sandbox can mount it only on the session-manager's node (R8)",
			"add to the node affinity of the sandbox and leave the term that kora wrote",
		},
		{
			Unsound, Error, "the API server would refuse the object",
			"what render prints is valid for the API server, so that a patch fails here and not in the cluster, where the objects would just not be made (R2, R13)",
			"write what the fault expects at the field",
		},
	}
}

package faults

// agentEntries are the rules for an agent type as a whole.
func agentEntries() []Entry {
	return []Entry{
		{
			SplitPlacement, Error, "settings split the placement of session-manager and sandbox",
			"on a workspace that is not ReadWriteMany the sandbox runs on the session-manager's node, and would wait for ever where it is not admitted (R9)",
			"give both the same node selector and required node affinity under agents.workloads.common, or set agents.workspace.accessModes to ReadWriteMany",
		},
		{
			BadName, Error, "a slug, id or namespace that is not a valid name",
			"objects and labels are named after them, and the API server refuses what is not a DNS label (R2, R3)",
			"use lower-case letters, digits and hyphens, starting and ending with a letter or a digit",
		},
	}
}

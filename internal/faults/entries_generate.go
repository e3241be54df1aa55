package faults

// generateEntries are the rules for environment files and for what is generated
// from them.
func generateEntries() []Entry {
	return []Entry{
		{
			EnvironmentShape, Error, "the environment file is not one map of facts",
			"both outputs read the same file, and a second document would reach neither (R38)",
			"keep one YAML document: kora generate schema prints what it may hold",
		},
		{
			EnvironmentForm, Error, "a fact that is missing, or has not the form it must have",
			"facts end in templates, command lines and URLs, where a wrong one breaks the install late or lets something else in (R38, R39)",
			"write the value in the form that is expected",
		},
		{
			EnvironmentSplit, Error, "one fact stands in two places, which differ",
			"SPIRE, Istio and kora have the facts of a cluster from the environment alone: what a values file says otherwise is passed over, or known to kora and not to the mesh (R38, R39)",
			"keep the fact in the environment, and remove it where else it stands",
		},
		{
			ReleaseGraph, Error, "the releases cannot be put in an order",
			"waves and needs come from one graph, and a circle in it or a name that is not there has no order (R38)",
			"mend the needs of the release that is named",
		},
		{
			EditedFile, Error, "a generated file was changed by hand, or is not one of kora's",
			"writing it anew would lose what a person wrote without a word (R38)",
			"keep the change elsewhere, such as in values/kora.yaml or the environment, or write over it with --force",
		},
		{
			GeneratedDiff, Error, "what is on the disk differs from what would be generated",
			"a committed output that nobody generated installs something else than the environment says (R38)",
			"run the same command without --check, and commit what it writes",
		},
		{
			OutsideFolder, Error, "an output path is no plain file or folder, or leads out of the output folder",
			"a link in a checkout that others can write to would let a generated file replace any file of yours (R38)",
			"remove what is in its place, and generate again",
		},
		{
			LockMismatch, Error, "the digests that pin kora's charts are missing, differ, or would be lost",
			"a pin installs what was verified: a lock of another release has those of other charts, two leave open which, and without any a folder installs whatever the registry has (R38)",
			"give the lock of this version with --lock, as kora verify release writes it",
		},
	}
}

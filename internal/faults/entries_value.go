package faults

// valueEntries are the rules for values files and for the flags that set values.
func valueEntries() []Entry {
	return []Entry{
		{
			BadSet, Error, "a --set does not parse",
			"an assignment that cannot be read sets nothing, or something else than was meant (R20)",
			"write --set key=value, and a backslash before a dot or comma that belongs to a key or value",
		},
		{
			BadQuantity, Error, "not a quantity",
			"sizes are Kubernetes quantities, and the API server refuses anything else (R7, R10, R20)",
			"write a number with a unit, such as 500m, 2, 512Mi or 10Gi",
		},
		{
			BadSize, Error, "sizes that are zero, out of order or beyond any use",
			"an environment gets its default size and grows to maxSize at most, so no field of maxSize is below defaultSize; the sidecars of one pod use little (R10)",
			"raise maxSize or lower defaultSize in the field that the fault names, and keep both above zero; for sidecars, write what the two of one pod request, such as 900m and 320Mi",
		},
		{
			OwnedLabel, Error, "a pod label or annotation that kora owns",
			"identity, sidecar injection and mesh wiring depend on these keys (R11)",
			"remove the key, or use a key under a domain of your own",
		},
		{
			BadLabel, Error, "not a valid label or annotation",
			"the API server refuses the object for a malformed key or value (R4, R20)",
			"use letters, digits, hyphens, underscores and dots in a name of at most 63 characters, with a DNS prefix before a slash where one is wanted",
		},
		{
			BadAccess, Error, "access modes that session-manager and sandbox cannot mount together",
			"both pods write to the workspace at the same time (R7, R8)",
			"use ReadWriteOnce or ReadWriteMany",
		},
	}
}

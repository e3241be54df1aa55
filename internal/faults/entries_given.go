package faults

// givenEntries are the rules for the values of a release as a whole, by its schema and beyond it.
func givenEntries() []Entry {
	return []Entry{
		{
			ValueMissing, Error, "a value that must be given is missing",
			"some values have no default that would be right anywhere, such as the trust domain (R21, R27)",
			"add the value where the fault says, or give it with --set",
		},
		{
			BadValue, Error, "a value that the chart does not take",
			"the chart's schema says which values there are, and Helm refuses every other (R20)",
			"write a value of the kind that the fault expects",
		},
		{
			NothingGiven, Error, "a key with nothing behind it",
			"to Helm a null takes the chart's default away, and the chart cannot do without (R20)",
			"remove the key to have its default, or write a value",
		},
		{
			SecretsOnly, Error, "an environment variable that is not from a Secret",
			"extraEnv is for secrets only; settings belong into config files, where they are checked (R23)",
			"use valueFrom.secretKeyRef, or set the value in configOverrides",
		},
		{
			BoundsReverse, Error, "the most is below the least",
			"an autoscaler takes no upper bound below its lower one (R20)",
			"raise the upper bound, or lower the lower one",
		},
		{
			BadSchema, Error, "a values.schema.json that cannot be used",
			"without the schema of a chart nobody can say which values are wrong (R20)",
			"mend the schema, or use a chart as it was published",
		},
		{
			NoNode, Error, "a placement that no node can meet",
			"its pods would wait for ever, and nothing would say why (R9)",
			"ask each label for one thing, in the node selector or in the required node affinity",
		},
		{
			Contradiction, Error, "a setting that contradicts another value",
			"configOverrides reach one config file alone, and other objects of the release follow the value (R23)",
			"set the value that the fault names, or remove the key",
		},
	}
}

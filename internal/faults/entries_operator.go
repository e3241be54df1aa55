package faults

// operatorEntries are the rules for the config modules that kora-operator reads.
func operatorEntries() []Entry {
	return []Entry{
		{
			BadSetting, Error, "a setting that the operator cannot work with",
			"a service that starts with a setting which it cannot use does something else than was asked, so it does not start (R23)",
			"mend the value of the chart, or the configOverrides, that the module is made of",
		},
	}
}

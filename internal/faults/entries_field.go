package faults

// fieldEntries are the rules for single fields, of values and of patches alike.
func fieldEntries() []Entry {
	return []Entry{
		{
			UnknownField, Error, "a field that the type does not have",
			"the API server drops or refuses an unknown field, so a typo would silently do nothing (R13, R20)",
			"mend the name, or remove the field: kubectl explain lists those there are",
		},
		{
			WrongType, Error, "a value of the wrong type",
			"the API server would refuse the object, and only once it is deployed (R13, R20)",
			"write the value in the type that the fault expects; quote it where a string stands",
		},
		{
			AmbiguousBool, Error, "a plain word that is a boolean to some YAML readers",
			"on, off, yes, no, y and n are booleans in YAML 1.1 and strings in YAML 1.2, so the same line means two things (R13, R20)",
			"quote the word",
		},
		{
			AmbiguousNumber, Error, "a plain number, or a key, that YAML readers do not read alike",
			"010 is eight in YAML 1.1 and ten in YAML 1.2, 1_000, 0b11 and 0o7 are texts to some, and the key 1.0 is the key 1 to Helm (R20)",
			"write the number in decimal without a zero in front, and a key in quotes",
		},
	}
}

package faults

// yamlEntries are the rules that hold for every YAML document, before anybody
// asks what it means.
func yamlEntries() []Entry {
	return []Entry{
		{
			YAMLSyntax, Error, "the document is not YAML",
			"a document that cannot be read cannot be checked, and guessing at it would apply something nobody wrote (R13, R20)",
			"correct the line the fault points at; wrong indentation, a tab and a missing quote are the usual causes",
		},
		{
			YAMLDuplicate, Error, "a key stands twice in one mapping",
			"YAML readers differ on which of the two wins, so the document means different things to different tools (R13, R20)",
			"remove one of the two, or merge what they hold under one key",
		},
		{
			YAMLLimit, Error, "the document is larger or deeper than kora reads",
			"bounds on size, depth and aliases keep a hostile document from using up memory or time (R13, R20)",
			"split the document, nest it less deep, and write out what aliases stood for",
		},
		{
			FileKind, Error, "not a regular file inside the directory",
			"a directory, device or link that leads elsewhere would let a set of patches read files that are no part of it (R12, R13)",
			"put a regular file into the directory itself, or remove the entry",
		},
		{
			FileMissing, Error, "the file is out of reach",
			"what cannot be read was not checked, which is told apart from a refusal by exit status 3 (R13, R20)",
			"check the spelling of the path and that the file may be read",
		},
	}
}

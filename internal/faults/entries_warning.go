package faults

// patchWarningEntries are the rules for patches that most likely do not do what
// their author meant, and for the variables that patches took the place of.
func patchWarningEntries() []Entry {
	return []Entry{
		{
			MatchesNothing, Warning, "the patch matches no object",
			"a target that selects nothing is most often a misspelt name or label (R16)",
			"compare the target with what render prints, or remove the patch",
		},
		{
			ChangesNothing, Warning, "the patch changes nothing",
			"the objects hold these values already, by default, by a setting or by an earlier patch (R16)",
			"remove the patch",
		},
		{
			Overwritten, Warning, "a later patch overwrites the field",
			"patches apply in the bytewise order of their keys, and only the last value stays (R12, R16)",
			"keep one of the two, or rename the keys when the other value was meant to win",
		},
		{
			EnvOverride, Warning, "a KORA_MANIFEST__ variable is set and not read",
			"manifest patches took the place of these variables, and an override that is not read has no effect (R17)",
			"move the override into a patch under agents.manifestPatches, then remove the variable",
		},
		{
			EnvUntranslated, Error, "a KORA_MANIFEST__ variable cannot be translated into a patch",
			"its name or value does not say for certain which field of which object it meant (R17)",
			"write the patch by hand under agents.manifestPatches, then remove the variable",
		},
	}
}

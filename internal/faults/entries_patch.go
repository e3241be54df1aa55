package faults

import "slices"

// patchEntries are the rules for manifest patches: how an entry is written,
// what it may do, and what is worth a warning.
func patchEntries() []Entry {
	return slices.Concat(patchFormEntries(), patchGuardEntries(), patchWarningEntries())
}

func patchFormEntries() []Entry {
	return []Entry{
		{
			EntryShape, Error, "the entry is not a kustomize patches entry",
			"an entry holds target, patch and options and nothing else, so that a misspelt key is not ignored (R12, R13)",
			"write a target map with a kind, and the patch as a block of text",
		},
		{
			TargetKind, Error, "the target kind is missing, unknown or not patchable",
			"without a kind a patch could hit any object, and kora makes only a few kinds for an agent type (R12, R13)",
			"set target.kind to StatefulSet, PersistentVolumeClaim, Service, ServiceAccount, HorizontalPodAutoscaler, PodDisruptionBudget or Pod",
		},
		{
			TargetSelector, Error, "a selector of the target does not parse",
			"a selector that cannot be read selects nothing anybody can foretell (R12, R13)",
			"write a label selector such as runkora.io/component=sandbox, and names as regular expressions",
		},
		{
			PatchPath, Error, "a patch is read from a path",
			"a patch is inline and may never read a file or a URL of the machine that applies it (R13)",
			"put the content of the file under patch and remove path",
		},
		{
			DuplicateKey, Error, "one patch key is given twice",
			"keys give the apply order, and of two patches under one key one would be lost (R12)",
			"rename or remove one of the two",
		},
		{
			PatchLimit, Error, "the patches are more or larger than kora reads",
			"at most 1000 patches and 1 MiB of them, which is what a ConfigMap can hold; in all 2000 merge documents and operations and 200000 YAML values, aliases expanded; 500 items a list; and for a target 1000 bytes of a label or annotation selector, 500 bytes of an expression, and 500 steps of one with its repetitions written out; so that start-up stays bounded (R12, R13)",
			"merge patches of one target, remove what is not used, write out what aliases stand for, and select by label where a name's expression would be large",
		},
		{
			PatchShape, Error, "the patch is neither strategic merge nor JSON6902",
			"kustomize reads a partial object or a list of operations and nothing else (R12, R13)",
			"write an object with apiVersion, kind and metadata.name, or a list of entries with op, path and value",
		},
		{
			CannotApply, Error, "kustomize cannot apply the patch",
			"a patch that fails here fails in kora-agents at start-up too, and stops it (R13, R18)",
			"compare the patch with the object that render prints without it",
		},
		{
			ReplaceMissing, Error, "replace of a path that does not exist",
			"the operation replace needs a value to stand in its place, by RFC 6902 (R13)",
			"use the operation add, or correct the path",
		},
	}
}

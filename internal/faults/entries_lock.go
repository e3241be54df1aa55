package faults

// lockEntries are the rules for locks, lists of images and references.
func lockEntries() []Entry {
	return []Entry{
		{
			LockShape, Error, "the lock is not one that kora wrote",
			"digests that are pinned from a lock decide what runs, so that it is read strictly (R49)",
			"write it again with kora verify release --lock FILE, and do not change it by hand",
		},
		{
			LockMoved, Error, "an artifact is no longer what the lock says",
			"a tag that leads elsewhere, or another signer, is either a new release or an attack, and only a person can tell (R45, R49)",
			"find out why it moved; where it is meant, verify the release and write the lock again",
		},
		{
			ImagesList, Error, "a line of the list of images is no image",
			"a line that is passed over is an image that nobody verifies (R46)",
			"write one REGISTRY/REPOSITORY:TAG or REGISTRY/REPOSITORY@sha256:HEX a line, and a comment behind #",
		},
		{
			BadRef, Error, "the reference does not say which artifact it means",
			"without registry, and tag or digest, it would mean something else for every reader (R45)",
			"write REGISTRY/REPOSITORY:TAG or REGISTRY/REPOSITORY@sha256:HEX, with oci:// before a chart; or oci-layout:PATH",
		},
		{
			NamedTwice, Warning, "an artifact is named more than once",
			"it is verified once; a list in which something stands twice was perhaps meant to name something else (R46)",
			"leave out the second, or correct it",
		},
	}
}

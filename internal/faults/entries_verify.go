package faults

import "slices"

// verifyEntries are the rules for signatures and provenance (R45 to R49).
func verifyEntries() []Entry {
	return slices.Concat(verdictEntries(), verifyInputEntries(), lockEntries())
}

func verdictEntries() []Entry {
	return []Entry{
		{
			NotSigned, Error, "nothing signs the artifact",
			"an artifact without any signature or attestation may come from anybody (R45, R46, R47)",
			"get the artifact and its evidence from the release again, and compare the digest",
		},
		{
			NoneMatches, Error, "evidence is there, and none of it is by whom or about what was asked",
			"a good signature of somebody else, or of another artifact, says nothing about this one (R45, R46, R47)",
			"compare who signed with who should have; for a fork or a mirror give its identity, issuer or key",
		},
		{
			BadEvidence, Error, "the evidence is malformed or its signature is wrong",
			"what does not parse strictly or fails the cryptographic check was changed, or was never evidence (R45, R46, R47)",
			"get the evidence from the release again; when it stays so, do not use the artifact",
		},
		{
			CouldNotCheck, Error, "the artifact could not be checked",
			"what could not be reached or read is neither signed nor unsigned, and is never called verified (R49)",
			"remove the cause and run again",
		},
	}
}

func verifyInputEntries() []Entry {
	return []Entry{
		{
			PolicyShape, Error, "the identity or another part of the policy cannot be used",
			"a policy that cannot be understood would accept nothing, or what nobody meant (R45, R47)",
			"give one identity or one expression, an issuer, a source repository as OWNER/REPO and a signer workflow as OWNER/REPO/PATH",
		},
		{
			OpenIdentity, Warning, "the identity expression leaves more open than it seems",
			"kora matches the whole identity; an end or a part that any text matches, such as .*, \\S+ or [^/]+, the flag i or a dot that is not escaped lets other repositories, workflows or branches in, and an open end matches nothing where other tools take a prefix; and a build that is asked for by its repository or workflow alone may be of any branch or pull request (R45)",
			"write the whole identity between ^ and $, with a backslash before each dot",
		},
		{
			BadKey, Error, "the public key cannot be used",
			"kora takes one PEM block of type PUBLIC KEY: ECDSA on P-256, P-384 or P-521, Ed25519, or RSA of 2048 to 4096 bits (R45)",
			"export the public half of the key as PEM",
		},
		{
			BadDigest, Error, "the digest is not one of an artifact",
			"a digest is sha256: and 64 lower-case hexadecimal digits, so that it names one artifact and no path (R46)",
			"give a file, or its digest as sha256sum prints it behind sha256:",
		},
		{
			TrustRoot, Error, "the trust root cannot be used",
			"who is trusted is read strictly: an unknown field or kind in the file could mean less trust than kora would give (R48)",
			"get trusted_root.json again from the instance that signed",
		},
		{
			NoTrustRoot, Error, "there is no trust root to check with",
			"keyless signatures are checked against the keys of an instance, which come from a file or by TUF, and --offline allows no connection (R48)",
			"give --trusted-root FILE, or allow the connection to the TUF repository",
		},
	}
}

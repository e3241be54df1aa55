package faults

// Codes of verification (R45 to R49).
const (
	NotSigned     Code = "KORA-S001"
	NoneMatches   Code = "KORA-S002"
	BadEvidence   Code = "KORA-S003"
	CouldNotCheck Code = "KORA-S004"
	PolicyShape   Code = "KORA-S101"
	OpenIdentity  Code = "KORA-S102"
	BadKey        Code = "KORA-S103"
	BadDigest     Code = "KORA-S104"
	TrustRoot     Code = "KORA-S201"
	NoTrustRoot   Code = "KORA-S202"
)

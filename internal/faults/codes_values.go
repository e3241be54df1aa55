package faults

// Codes of the values of a release: what its schema and its rules want (R20 to R29).
const (
	ValueMissing  Code = "KORA-V101"
	BadValue      Code = "KORA-V102"
	NothingGiven  Code = "KORA-V103"
	SecretsOnly   Code = "KORA-V104"
	BoundsReverse Code = "KORA-V105"
	BadSchema     Code = "KORA-V106"
	NoNode        Code = "KORA-V107"
	Contradiction Code = "KORA-V108"
)

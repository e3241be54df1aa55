package faults

// Codes of an environment file (R38).
const (
	EnvironmentShape Code = "KORA-E001"
	EnvironmentForm  Code = "KORA-E002"
	EnvironmentSplit Code = "KORA-E003"
)

// Codes of what kora generate writes (R38 to R42).
const (
	ReleaseGraph  Code = "KORA-G001"
	EditedFile    Code = "KORA-G002"
	GeneratedDiff Code = "KORA-G003"
	OutsideFolder Code = "KORA-G004"
	LockMismatch  Code = "KORA-G005"
)

// Codes of an app-of-apps under Argo CD (R40, R41).
const (
	AppHealth       Code = "KORA-C001"
	ParentApply     Code = "KORA-C002"
	BigAnnotation   Code = "KORA-C003"
	NamespaceLabels Code = "KORA-C004"
	IgnoredOnly     Code = "KORA-C005"
	OneWebhook      Code = "KORA-C006"
	RefPlace        Code = "KORA-C007"
	UnorderedSet    Code = "KORA-C008"
	PrunedCRDs      Code = "KORA-C009"
	WaveOrder       Code = "KORA-C010"
	RendersOtherly  Code = "KORA-C011"
	HiddenValues    Code = "KORA-C012"
	AppShape        Code = "KORA-C013"
	NothingToLint   Code = "KORA-C014"
)

// Codes of a plan of an upgrade (R56).
const (
	UpgradeVersion  Code = "KORA-U001"
	Downgrade       Code = "KORA-U002"
	TrustDomainMove Code = "KORA-U003"
	ClaimsMove      Code = "KORA-U004"
	LiveRelease     Code = "KORA-U005"
	ClusterReach    Code = "KORA-U006"
	UpgradeOpen     Code = "KORA-U007"
)

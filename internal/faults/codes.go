package faults

// Codes of YAML documents, whatever they hold.
const (
	YAMLSyntax    Code = "KORA-Y001"
	YAMLDuplicate Code = "KORA-Y002"
	YAMLLimit     Code = "KORA-Y003"
	FileKind      Code = "KORA-Y004"
	FileMissing   Code = "KORA-Y005"
)

// Codes of typed fields, in values and in patches alike.
const (
	UnknownField    Code = "KORA-F001"
	WrongType       Code = "KORA-F002"
	AmbiguousBool   Code = "KORA-F003"
	AmbiguousNumber Code = "KORA-F004"
)

// Codes of manifest patches (R12 to R18).
const (
	EntryShape      Code = "KORA-P001"
	TargetKind      Code = "KORA-P002"
	TargetSelector  Code = "KORA-P003"
	PatchPath       Code = "KORA-P004"
	DuplicateKey    Code = "KORA-P005"
	PatchLimit      Code = "KORA-P006"
	PatchShape      Code = "KORA-P007"
	CannotApply     Code = "KORA-P008"
	ReplaceMissing  Code = "KORA-P009"
	Protected       Code = "KORA-P101"
	PodSecurity     Code = "KORA-P102"
	AddedContainer  Code = "KORA-P103"
	ObjectDeleted   Code = "KORA-P104"
	ForbiddenVolume Code = "KORA-P105"
	ClaimTemplates  Code = "KORA-P106"
	SplitByPatch    Code = "KORA-P107"
	UnpinnedSandbox Code = "KORA-P108"
	Unsound         Code = "KORA-P109"
	MatchesNothing  Code = "KORA-P201"
	ChangesNothing  Code = "KORA-P202"
	Overwritten     Code = "KORA-P203"
	EnvOverride     Code = "KORA-P301"
	EnvUntranslated Code = "KORA-P302"
)

// Codes of values files and flags.
const (
	BadSet      Code = "KORA-V001"
	BadQuantity Code = "KORA-V002"
	BadSize     Code = "KORA-V003"
	OwnedLabel  Code = "KORA-V004"
	BadLabel    Code = "KORA-V005"
	BadAccess   Code = "KORA-V006"
)

// Codes of an agent type as a whole.
const (
	SplitPlacement Code = "KORA-A001"
	BadName        Code = "KORA-A002"
)

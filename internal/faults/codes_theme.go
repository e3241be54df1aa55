package faults

// Codes of theme documents (R32 to R34).
const (
	ThemeShape    Code = "KORA-T001"
	ThemeAlias    Code = "KORA-T002"
	ThemeVersion  Code = "KORA-T003"
	ThemeMajor    Code = "KORA-T004"
	ThemeName     Code = "KORA-T005"
	ThemeURL      Code = "KORA-T006"
	ThemeColor    Code = "KORA-T007"
	ThemeIdentity Code = "KORA-T101"
)

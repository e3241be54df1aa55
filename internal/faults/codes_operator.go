package faults

// Codes of the operator's own settings, the config modules (R23).
const (
	BadSetting Code = "KORA-O001"
)

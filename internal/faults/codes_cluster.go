package faults

// Codes of what is asked of a cluster (R55).
const (
	ClusterSilent Code = "KORA-K001"
	ClusterDenied Code = "KORA-K002"
	NoSandboxNode Code = "KORA-K003"
	SizeFitsNone  Code = "KORA-K004"
	BadBundle     Code = "KORA-K005"
	PodRefused    Code = "KORA-K006"
)

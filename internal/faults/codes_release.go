package faults

// Codes of a whole release: its chart, what the chart's templates do, and the
// objects that they write (R19 to R37).
const (
	ChartSource   Code = "KORA-R001"
	ChartShape    Code = "KORA-R002"
	ChartLimit    Code = "KORA-R003"
	ChartCluster  Code = "KORA-R004"
	ChartValues   Code = "KORA-R005"
	ChartRefuses  Code = "KORA-R006"
	TemplateFails Code = "KORA-R007"
	RenderLimit   Code = "KORA-R008"
	ObjectShape   Code = "KORA-R009"
	SameObject    Code = "KORA-R010"
	ReleaseName   Code = "KORA-R011"
	TableIgnored  Code = "KORA-R012"
	NotServed     Code = "KORA-R013"
)

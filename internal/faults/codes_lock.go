package faults

// Codes of what is verified by name: locks, lists of images, and where their
// references lead (R45, R46, R49).
const (
	LockShape  Code = "KORA-S301"
	LockMoved  Code = "KORA-S302"
	ImagesList Code = "KORA-S303"
	BadRef     Code = "KORA-S304"
	NamedTwice Code = "KORA-S305"
)

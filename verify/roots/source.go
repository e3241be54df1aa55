package roots

import (
	"context"
	"time"

	"github.com/runkora/kora/internal/faults"
)

// Source says where trust roots come from (R48).
type Source struct {
	// File is --trusted-root; with it nothing else is asked.
	File string
	// Offline refuses every connection: without File only a TUF cache that is
	// still valid is left.
	Offline bool
	// Mirror is the URL of a TUF repository, "" for the public-good instance's.
	Mirror string
	// TUFRoot is a file with the root.json to begin with, "" for the embedded one.
	TUFRoot string
	// Cache is the directory of the TUF cache, "" for kora's own in the user's
	// cache directory.
	Cache string
	// Timeout bounds one transfer; 0 means 20 seconds.
	Timeout time.Duration
}

// Load returns the trust roots: those of the file, or the one of the TUF
// repository. What is out of reach is a fault that says so; there is no way
// from one source to the other by itself.
func (s Source) Load(ctx context.Context) ([]Root, faults.List) {
	if s.File != "" {
		return Read(s.File)
	}
	return s.byTUF(ctx)
}

package release

import (
	"context"

	"github.com/runkora/kora/internal/faults"
)

func pull(context.Context, string, Limits) ([]byte, faults.List) { return nil, nil }

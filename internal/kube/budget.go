package kube

import (
	"fmt"
	"sync/atomic"
)

// Budget is how many bytes one run may keep of all that it reads, whatever they
// are: each answer is bounded, and there may be any number of them.
type Budget struct {
	Limit int64
	kept  atomic.Int64
}

// Keep counts what is kept, and is an error beyond the limit.
func (b *Budget) Keep(bytes int) error {
	if b.kept.Add(int64(bytes)) > b.Limit {
		return Said(fmt.Sprintf("the API server's lists hold more than %d MiB of what is kept of them", b.Limit>>20))
	}
	return nil
}

package registry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

// What of an answer is small, in bytes, and how many artifacts of a run may have
// read a larger one: what a run holds in memory does not grow with its artifacts.
const (
	smallAnswer  = 1 << 20
	largeAnswers = 8
)

// budget is what may be read for one artifact, whatever it is that is read.
type budget struct {
	mu    sync.Mutex
	total int64
	left  int64
	large chan struct{} // of the run
	held  bool
}

type budgetKey struct{}

// Bounded returns a context for all that is asked about one artifact, and the
// function that ends it. All that is read under it counts against Limits.Total,
// and few artifacts of a run read large answers at a time: the others wait.
func (c *Client) Bounded(ctx context.Context) (context.Context, func()) {
	return bounded(ctx, c.o.Limits, c.large)
}

func bounded(ctx context.Context, l Limits, large chan struct{}) (context.Context, func()) {
	if budgetOf(ctx) != nil {
		return ctx, func() {}
	}
	b := &budget{total: l.Total, left: l.Total, large: large}
	return context.WithValue(ctx, budgetKey{}, b), b.end
}

func budgetOf(ctx context.Context) *budget {
	b, _ := ctx.Value(budgetKey{}).(*budget)
	return b
}

func (b *budget) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.held {
		b.held = false
		<-b.large
	}
}

// spend counts bytes that were read. Without a budget nothing is counted.
func (b *budget) spend(n int) error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left -= int64(n); b.left < 0 {
		return rule{
			fmt.Sprintf("there are more than %d bytes to read before its evidence is known", b.total),
			"remove what does not belong to the release, or verify against another registry",
		}
	}
	return nil
}

// errFull is a large answer where others of the run are read. Whoever gets it
// lets go of the connection, enlarges the budget and asks again: one that waited
// with its connection would keep those it waits for from theirs.
var errFull = errors.New("other large answers are read")

// free reports whether the artifact may read large answers now.
func (b *budget) free() bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.held {
		select {
		case b.large <- struct{}{}:
			b.held = true
		default:
		}
	}
	return b.held
}

// enlarge waits until the artifact may read large answers. It then may to its
// end. Nothing that others need may be held meanwhile.
func (b *budget) enlarge(ctx context.Context) error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.held {
		return nil
	}
	select {
	case b.large <- struct{}{}:
		b.held = true
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// read reads at most limit bytes within the budget of the context, errFull
// where it has to wait.
func read(ctx context.Context, r io.Reader, limit int64) ([]byte, error) {
	b := budgetOf(ctx)
	out, err := io.ReadAll(io.LimitReader(r, min(limit, smallAnswer)+1))
	if err == nil && len(out) > smallAnswer {
		if !b.free() {
			return nil, errFull
		}
		var rest []byte
		rest, err = io.ReadAll(io.LimitReader(r, limit+1-int64(len(out))))
		out = append(out, rest...)
	}
	if err == nil && int64(len(out)) > limit {
		err = tooLarge(limit)
	}
	if err != nil {
		return nil, err
	}
	return out, b.spend(len(out))
}

// Texts of a list are kept up to this length, in bytes: media types and digests
// are shorter, and what is longer is none.
const maxKept = 150

// kept is what of a list of referrers is needed to look at them: strangers may
// add to it, and everything else in it is theirs.
func kept(all []descriptor) []descriptor {
	for i, d := range all {
		all[i] = descriptor{MediaType: begin(d.MediaType), ArtifactType: begin(d.ArtifactType), Digest: begin(d.Digest), Size: d.Size}
		if d.Annotations[predicateKey] == signPredicate {
			all[i].Annotations = map[string]string{predicateKey: signPredicate}
		}
	}
	return all
}

func begin(text string) string {
	if len(text) > maxKept {
		return strings.Clone(text[:maxKept])
	}
	return text
}

package release

import (
	"context"
	"sync"
	"time"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/registry"
)

// Run is how a run verifies: with what, how many at once, and for how long.
type Run struct {
	Client *registry.Client
	// Key is the fingerprint of the key that has to have signed, see
	// Fingerprint; empty where certificates say who did.
	Key string
	// Verifier judges charts, images and files; Builds judges provenance.
	Verifier, Builds *verify.Verifier
	// Ask is what is asked of charts and images of attestations, nil for who
	// signed them.
	Ask Question
	// Parallel artifacts are in work at once; 0 means DefaultParallel. The
	// connections to one registry have their own limit in Client.
	Parallel int
	// Timeout bounds one artifact, all its evidence included; 0 means
	// DefaultTimeout.
	Timeout time.Duration
	// Progress is told how many artifacts are done, from several goroutines,
	// one at a time; nil for silence.
	Progress func(done, all int)

	lines *lines
}

// Question asks a verifier about an artifact and evidence for it.
type Question func(*verify.Verifier, verify.Artifact, []evidence.Raw) verify.Verdict

// What a run is bounded by when nothing else is said.
const (
	DefaultParallel = 16
	DefaultTimeout  = 3 * time.Minute
)

// All verifies every item and returns the verdicts in the order of the items.
// Each item is there, also when the run was stopped: then as one that could
// not be checked.
func (r Run) All(ctx context.Context, items []Item) []verify.Verdict {
	r.lines = &lines{at: map[string]func() (evidence.Raw, error){}}
	out := make([]verify.Verdict, len(items))
	next := make(chan int)
	var wait sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range min(r.parallel(), len(items)) {
		wait.Go(func() {
			for i := range next {
				out[i] = r.one(ctx, items[i])
				mu.Lock()
				done++
				if r.Progress != nil {
					r.Progress(done, len(items))
				}
				mu.Unlock()
			}
		})
	}
	for i := range items {
		next <- i
	}
	close(next)
	wait.Wait()
	return out
}

func (r Run) parallel() int {
	if r.Parallel > 0 {
		return r.Parallel
	}
	return DefaultParallel
}

func (r Run) one(ctx context.Context, item Item) verify.Verdict {
	timeout := r.Timeout
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	switch {
	case item.Found.Refused():
		return before(item)
	case item.Missing != "":
		return unchecked(item, item.Ref, item.Missing, missingFix(item))
	case item.What == File || item.What == Provenance:
		return r.file(ctx, item)
	}
	return r.fetched(ctx, item)
}

// missingFix is what to do about an item that is not there: a file can be had,
// and which images there are follows from what stands beside them in the report.
func missingFix(item Item) string {
	if item.What == File || item.What == Provenance {
		return "download it from the release"
	}
	return "see what the report says of that, and run again once it is verified"
}

// begin is the verdict of an item of which nothing is known yet.
func begin(item Item) verify.Verdict {
	return verify.Verdict{Artifact: item.Ref, Signers: []verify.Signer{}, Reasons: []verify.Reason{}, Resolved: asked(item)}
}

// before is the verdict of an item that was wrong before anything was asked.
func before(item Item) verify.Verdict {
	v := verify.Unjudged(item.Ref, "", item.Found)
	v.Resolved = asked(item)
	return v
}

// asked is what an item was asked for as, nil where that is whatever it may be:
// what it is, is known when it was resolved.
func asked(item Item) *verify.Resolved {
	if item.What == Artifact {
		return nil
	}
	return &verify.Resolved{What: item.What}
}

func unchecked(item Item, name, why, fix string) verify.Verdict {
	v := begin(item)
	v.Reasons = append(v.Reasons, verify.Reason{Evidence: name, Kind: verify.CouldNotCheck, Message: why, Fix: fix})
	v.Conclude()
	return v
}

package cmp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/runkora/kora/internal/faults"
)

// doing is what a call is about, for whoever has to end it.
type doing struct {
	mu   sync.Mutex
	what string
}

func (d *doing) now(what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.what = what
}

func (d *doing) said() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.what
}

// bounded runs the call, and ends it when its time is over, or when it holds more
// memory than one call may. What still runs then is left to itself.
func (g *generation) bounded(ctx context.Context) Output {
	ctx, cancel := context.WithTimeout(ctx, g.settings.Timeout)
	defer cancel()
	before := g.out
	done := make(chan Output, 1)
	go func() { done <- g.run(ctx) }()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case out := <-done:
			if ctx.Err() == nil {
				return out
			}
		case <-ctx.Done():
		case <-look.C:
			if live() <= MostLive {
				continue
			}
			return Output{App: before.App, Found: faults.List{g.tooMuch()}}
		}
		return Output{App: before.App, Found: faults.List{g.stopped(ctx)}}
	}
}

func (g *generation) stopped(ctx context.Context) faults.Fault {
	what := g.doing.said()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		f := faults.New(faults.PluginStopped, fmt.Sprintf("not done after %s: kora was %s", g.settings.Timeout, what))
		return f
	}
	f := faults.New(faults.PluginStopped, "stopped by a signal: kora was "+what)
	f.Fix = "wait: the application is tried again by itself"
	return f
}

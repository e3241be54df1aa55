package testcluster

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
)

// RestartAPIServer kills the API server and starts it again over the same etcd and
// port, and returns when it is ready. Until then calls fail, and every watch has
// ended; down, which may be nil, is called while it is not there.
func (c *Cluster) RestartAPIServer(ctx context.Context, down func()) error {
	what := c.apiServer()
	if err := c.procs.take(what.name); err != nil {
		return err
	}
	if down != nil {
		down()
	}
	if err := c.procs.start(what); err != nil {
		return err
	}
	return c.procs.poll(ctx, what.name, c.answers("/readyz"))
}

// take ends a program whose end breaks nothing.
func (p *processes) take(name string) error {
	p.guard.Lock()
	at := slices.IndexFunc(p.running, func(one *process) bool { return filepath.Base(one.cmd.Path) == name })
	if at < 0 {
		p.guard.Unlock()
		return fmt.Errorf("%s does not run", name)
	}
	one := p.running[at]
	one.taken = true
	p.running = slices.Delete(p.running, at, at+1)
	p.guard.Unlock()
	if err := one.cmd.Process.Kill(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	<-one.done
	return p.ended()
}

// isTaken reports whether the end of a process is meant.
func (p *processes) isTaken(one *process) bool {
	p.guard.Lock()
	defer p.guard.Unlock()
	return one.taken
}

package testcluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

// errStopped is why a cluster does not answer after [Cluster.Stop].
var errStopped = errors.New("the cluster is stopped")

// Broken is closed when one of the programs has ended; the others are killed
// then, so that no call waits for an answer that cannot come.
func (c *Cluster) Broken() <-chan struct{} { return c.procs.whole.Done() }

// Failure is why the cluster does not run any more: one line with the program
// that ended first and the last it said. It is nil while all of them run.
func (c *Cluster) Failure() error { return c.procs.ended() }

// Context is the test's, and ends with the cluster as well. [context.Cause]
// tells why it has ended.
func (c *Cluster) Context(t testing.TB) context.Context {
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := context.AfterFunc(c.procs.whole, func() { cancel(c.Failure()) })
	t.Cleanup(func() { stop(); cancel(nil) })
	return ctx
}

// asked is a transport that tells why the cluster does not answer, where the
// connection's error would only say that it does not.
type asked struct {
	cluster *Cluster
	next    http.RoundTripper
}

func (a asked) RoundTrip(request *http.Request) (*http.Response, error) {
	if err := a.cluster.Failure(); err != nil {
		if request.Body != nil {
			request.Body.Close()
		}
		return nil, err
	}
	response, err := a.next.RoundTrip(request)
	if failure := a.cluster.Failure(); err != nil && failure != nil {
		return nil, failure
	}
	return response, err
}

// failure is one line: the program, its status and the last it said.
func (one *process) failure() error {
	name := filepath.Base(one.cmd.Path)
	text, _ := os.ReadFile(one.log)
	if bytes.Contains(text, []byte("address already in use")) {
		return fmt.Errorf("%s: %w", name, errPortTaken)
	}
	if bytes.Contains(text, []byte("no space left on device")) {
		return fmt.Errorf("%s ended: %s: no space left on device for %s", name, one.cmd.ProcessState, filepath.Dir(one.log))
	}
	return fmt.Errorf("%s ended: %s: %s", name, one.cmd.ProcessState, lastSaid(text))
}

// lastSaid is the last line, or what a crash was for: its last line is only
// the place of some call.
func lastSaid(log []byte) []byte {
	last := []byte("it said nothing")
	for line := range bytes.Lines(log) {
		line = bytes.TrimSpace(line)
		if bytes.HasPrefix(line, []byte("panic: ")) || bytes.HasPrefix(line, []byte("fatal error: ")) {
			return line
		}
		if len(line) > 0 {
			last = line
		}
	}
	return last
}

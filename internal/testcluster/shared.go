package testcluster

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// startTime is how long a cluster may take to start on a machine that is busy
// with other tests. Building its programs is not part of it.
const startTime = 4 * time.Minute

// shared is the one cluster of this test binary, started when it is first asked for.
var shared struct {
	sync.Once
	cluster *Cluster
	err     error
	leftOut atomic.Int32 // tests that were skipped
}

// Shared gives the cluster that all tests of one package share. Under -short
// the test is skipped; otherwise it fails when there can be no cluster. Tests
// keep apart by [Cluster.Namespace].
func Shared(t testing.TB) *Cluster {
	t.Helper()
	if testing.Short() {
		shared.leftOut.Add(1)
		t.Skip("needs a control plane (etcd, kube-apiserver): left out by -short")
	}
	shared.Do(func() { shared.cluster, shared.err = startShared() })
	err := shared.err
	if err == nil {
		err = shared.cluster.Failure()
	}
	if err != nil {
		t.Fatalf("no control plane: %v", err)
	}
	return shared.cluster
}

func startShared() (*Cluster, error) {
	folder, err := Binaries(context.Background())
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	return Start(ctx, Options{Binaries: folder})
}

// Main runs a package's tests and stops the shared cluster, and gives the exit
// status: os.Exit(testcluster.Main(m)). A package without it leaves nothing
// behind either, but its cluster is killed, not stopped.
func Main(m *testing.M) int {
	code := m.Run()
	if n := shared.leftOut.Load(); n > 0 { // `go test` shows it with -v, or when a test has failed
		fmt.Fprintf(os.Stderr, "testcluster: left out by -short: %d tests that need a control plane\n", n)
	}
	if shared.cluster == nil {
		return code
	}
	if err := shared.cluster.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "testcluster: stop:", err)
		return max(code, 1)
	}
	return code
}

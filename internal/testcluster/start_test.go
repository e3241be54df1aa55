package testcluster

import (
	"errors"
	"net"
	"strings"
	"testing"
	"time"
)

// taken gives a port that somebody listens on.
func taken(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", loopback(0))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return listener.Addr().(*net.TCPAddr).Port
}

// refused is the one line that a start must fail with, leaving nothing in TMPDIR.
func refused(t *testing.T, options Options) error {
	t.Helper()
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	c, err := Start(t.Context(), options)
	if err == nil {
		t.Fatal("it started", c.Stop())
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("more than one line: %v", err)
	}
	if left := folders(t, temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	return err
}

func TestChosenPortInUseIsOneLine(t *testing.T) {
	port := taken(t)
	err := refused(t, Options{Binaries: Shared(t).Binaries(), Port: port})
	if !errors.Is(err, errPortTaken) {
		t.Errorf("got %v", err)
	}
}

func TestPortTakenMeanwhileIsChosenAnew(t *testing.T) {
	binaries, calls := Shared(t).Binaries(), 0
	t.Setenv("TMPDIR", t.TempDir())
	c, err := Start(t.Context(), Options{Binaries: binaries, Nodes: []Node{{Name: "one"}}, ports: func(n int) ([]int, error) {
		ports, err := freePorts(n)
		if calls++; calls == 1 && err == nil {
			ports[0] = taken(t)
		}
		return ports, err
	}})
	if err != nil || calls != 2 {
		t.Fatalf("chosen %d times: %v", calls, err)
	}
	if err := c.Stop(); err != nil {
		t.Error(err)
	}
}

func TestPortTakenEveryTimeIsOneLine(t *testing.T) {
	err := refused(t, Options{Binaries: Shared(t).Binaries(), ports: func(n int) ([]int, error) {
		ports, err := freePorts(n)
		ports[0] = taken(t)
		return ports, err
	}})
	if !errors.Is(err, errPortTaken) {
		t.Errorf("got %v", err)
	}
}

func TestProgramThatEndsIsNamedWithItsLastWord(t *testing.T) {
	err := refused(t, Options{Binaries: Shared(t).Binaries(), APIServerFlags: []string{"--no-such-flag"}})
	if !strings.Contains(err.Error(), "kube-apiserver ended") || !strings.Contains(err.Error(), "no-such-flag") {
		t.Errorf("got %v", err)
	}
}

func TestProgramThatEndsLaterBreaksTheCluster(t *testing.T) {
	procs, err := newProcesses("/bin", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer procs.stop()
	if err := procs.start(program{"true", nil}); err != nil {
		t.Fatal(err)
	}
	select {
	case <-(&Cluster{procs: procs}).Broken():
	case <-time.After(time.Minute):
		t.Error("nobody was told that it ended")
	}
}

func TestMissingProgramIsOneLine(t *testing.T) {
	err := refused(t, Options{Binaries: t.TempDir()})
	if !strings.Contains(err.Error(), "etcd: ") {
		t.Errorf("got %v", err)
	}
}

func TestPortThatCannotBeIsNotCalledTaken(t *testing.T) {
	if err := refused(t, Options{Binaries: t.TempDir(), Port: 70000}); errors.Is(err, errPortTaken) {
		t.Error(err)
	}
}

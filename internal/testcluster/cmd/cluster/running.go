package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/runkora/kora/internal/testcluster"
)

// running is the file that is there while the cluster is ready: it holds the
// server's version and its port.
const running = "running"

// announce writes it, once up has heard that all is well.
func (s state) announce(cluster *testcluster.Cluster) error {
	version, err := cluster.Client().Discovery().ServerVersion()
	if err != nil {
		return err
	}
	host := cluster.Config().Host
	text := version.GitVersion + " " + host[strings.LastIndexByte(host, ':')+1:] + "\n"
	// Whole or not at all: others read it at any time.
	if err := os.WriteFile(s.file(running+".new"), []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(s.file(running+".new"), s.file(running))
}

// settled waits until a cluster that is starting or stopping is ready or gone,
// and gives the version and port of the one that is ready.
func (s state) settled(ctx context.Context, errs io.Writer) (version, port string, err error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for told := false; ; told = true {
		pid, err := s.holder()
		if err != nil || pid == 0 {
			return "", "", err
		}
		if text, err := os.ReadFile(s.file(running)); err == nil {
			_, err := fmt.Sscan(string(text), &version, &port)
			return version, port, err
		}
		if !told {
			fmt.Fprintf(errs, "cluster: waiting for process %d, whose cluster is starting or stopping\n", pid)
		}
		if err := pause(ctx); err != nil {
			return "", "", fmt.Errorf("the cluster of process %d is neither ready nor gone", pid)
		}
	}
}

// fits says why a cluster that runs is not the one that was asked for.
func fits(version, port string, given settings) error {
	wanted, err := testcluster.Version()
	if err != nil {
		return err
	}
	if wanted != "" && !strings.HasPrefix(version, "v"+wanted+".") {
		return fmt.Errorf("a cluster of Kubernetes %s runs already, not K8S=%s: make cluster-down stops it", version, wanted)
	}
	if given.port != 0 && port != strconv.Itoa(given.port) {
		return fmt.Errorf("a cluster runs already on port %s, not %d: make cluster-down stops it", port, given.port)
	}
	return nil
}

var errUpAtWork = errors.New("a cluster-up is at work that has started nothing yet: stop that one")

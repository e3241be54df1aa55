package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/runkora/kora/internal/testcluster"
)

// startTime is for a machine that does much else.
const startTime = 4 * time.Minute

// hold is the process behind up: it runs the cluster until it is told to stop.
// Its word goes to the pipe that up has given it.
func hold(ctx context.Context, given settings, _, errs io.Writer) error {
	signal.Ignore(syscall.SIGHUP, syscall.SIGPIPE) // the terminal's end is not the cluster's
	word := os.NewFile(3, "word")
	if word == nil {
		return errors.New("hold is started by up")
	}
	defer word.Close()
	syscall.CloseOnExec(3) // or the cluster's programs hold the pipe open, too
	place := state(given.state)
	held, err := place.hold()
	if err != nil {
		fmt.Fprintln(word, err)
		return err
	}
	defer held.Close()
	cluster, err := begin(ctx, given, place, errs)
	if err != nil {
		fmt.Fprintln(word, err)
		return err
	}
	if _, err = io.WriteString(word, ready); err == nil {
		word.Close()
		err = place.announce(cluster)
	}
	if err == nil {
		err = wait(ctx, cluster)
	}
	return place.end(cluster, err)
}

// end says first that the cluster is not ready any more. The log stays when
// something went wrong.
func (s state) end(cluster *testcluster.Cluster, err error) error {
	err = errors.Join(err, unlink(s.file(running)), cluster.Stop(), s.clear())
	if err == nil {
		err = s.forget()
	}
	return err
}

// begin starts the cluster and puts its kubeconfig where up says it is.
func begin(ctx context.Context, given settings, place state, errs io.Writer) (*testcluster.Cluster, error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	cluster, err := testcluster.Start(ctx, testcluster.Options{Binaries: given.bin, Port: given.port, Log: errs})
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(cluster.Kubeconfig())
	if err == nil {
		err = os.WriteFile(place.kubeconfig(), text, 0o600)
	}
	if err != nil {
		return nil, errors.Join(err, cluster.Stop())
	}
	return cluster, nil
}

// wait is until somebody wants the end or a program has come to its own.
func wait(ctx context.Context, cluster *testcluster.Cluster) error {
	select {
	case <-ctx.Done():
		return nil
	case <-cluster.Broken():
		return fmt.Errorf("stopped, because %w", cluster.Failure())
	}
}

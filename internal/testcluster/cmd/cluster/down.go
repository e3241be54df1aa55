package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// down stops the cluster, if one runs, and waits for its end.
func down(ctx context.Context, given settings, _, errs io.Writer) error {
	place := state(given.state)
	pid, err := place.holder()
	if err != nil {
		return err
	}
	if pid == 0 {
		return place.tidy(errs)
	}
	if _, err := os.Stat(place.file("pid")); err != nil {
		fmt.Fprintf(errs, "cluster: the file pid is gone; the lock on the folder is held by process %d\n", pid)
	}
	if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
		return fmt.Errorf("stop process %d: %w", pid, err)
	}
	for range 300 {
		if now, err := place.holder(); err != nil || now != pid {
			return err
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
	return fmt.Errorf("process %d was asked to stop and still runs", pid)
}

// tidy removes what a cluster left that was killed, unless an up is at work.
func (s state) tidy(errs io.Writer) error {
	fmt.Fprintln(errs, "cluster: none runs")
	turn, err := flock(s.file(marker))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errUpAtWork
	}
	if err != nil {
		return err
	}
	defer turn.Close()
	return errors.Join(s.clear(), s.forget())
}

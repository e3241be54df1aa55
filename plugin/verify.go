package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/runkora/kora/internal/collector"
)

// newVerify is the group of signatures and provenance (R45 to R49).
func newVerify(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "check who made charts, images and files, and how, online and offline",
		Args:  cobra.ArbitraryArgs,
		RunE:  needsCommand,
	}
	cmd.AddCommand(newVerifyFile(c), newVerifyAttestation(c), newVerifyProvenance(c),
		newVerifyChart(c), newVerifyImage(c), newVerifyImages(c), newVerifyRelease(c))
	lockCheck(c, cmd)
	for _, one := range cmd.Commands() {
		one.RunE = interruptible(quiet(ownLock(one.RunE)))
	}
	cmd.RunE = interruptible(quiet(cmd.RunE))
	return cmd
}

// ownLock refuses a --lock that stands before the command: there it would name
// the lock to check, and behind it the one to write, which replaces it. cobra
// hands flags of both places to the command alike.
func ownLock(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if flagBefore(cmd, os.Args[1:], "lock") {
			return usageError{fmt.Errorf("--lock before %q would be the lock to check, which takes no other command: write it behind %q for the lock to write", cmd.Name(), cmd.Name())}
		}
		return run(cmd, args)
	}
}

// quiet keeps what other programs write off kora's stderr: a credential helper of
// the docker config is run with the process's own, and may write what it holds
// there. kora's own words go where its console leads.
func quiet(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("open %s, where the words of credential helpers go: %w", os.DevNull, err)
		}
		os.Stderr = null
		return run(cmd, args)
	}
}

// interruptible ends a run at the first ^C with a report of what is known, and
// leaves the second to the system.
func interruptible(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		collector.Restore(100) // what registries and files send is large, and short-lived
		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		context.AfterFunc(ctx, stop)
		cmd.SetContext(ctx)
		done := make(chan error, 1)
		go func() { done <- run(cmd, args) }()
		select {
		case err := <-done:
			return err
		case <-ctx.Done():
		}
		select {
		case err := <-done:
			return err
		case <-time.After(grace):
			return errors.New("the run was interrupted, and what it waited for did not end")
		}
	}
}

// grace is how long a run that was interrupted may take for its report. Then it
// is left where it waits: nothing that it reads may hold a person up.
const grace = 2 * time.Second

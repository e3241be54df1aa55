package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
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
		one.RunE = interruptible(ownLock(one.RunE))
	}
	cmd.RunE = interruptible(cmd.RunE)
	return cmd
}

// ownLock refuses a --lock that stands before the command: there it would name
// the lock to check, and behind it the one to write, which replaces it. Who reads
// flags does not tell where they stood.
func ownLock(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		from := slices.Index(os.Args, "verify") + 1
		to := from + slices.Index(os.Args[from:], cmd.Name())
		isLock := func(arg string) bool { return arg == "--lock" || strings.HasPrefix(arg, "--lock=") }
		if from > 0 && to > from && slices.ContainsFunc(os.Args[from:to], isLock) {
			return usageError{fmt.Errorf("--lock before %q would be the lock to check, which takes no other command: write it behind %q for the lock to write", cmd.Name(), cmd.Name())}
		}
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

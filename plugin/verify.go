package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
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
	for _, one := range append(cmd.Commands(), cmd) {
		one.RunE = interruptible(one.RunE)
	}
	return cmd
}

// interruptible ends a run at the first ^C with a report of what is known, and
// leaves the second to the system.
func interruptible(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		context.AfterFunc(ctx, stop)
		cmd.SetContext(ctx)
		return run(cmd, args)
	}
}

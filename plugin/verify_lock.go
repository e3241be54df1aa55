package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/runkora/kora/verify/lock"
	"github.com/runkora/kora/verify/release"
)

// lockCheck lets kora verify alone, with --lock, check that nothing of a lock
// has moved (R49).
func lockCheck(c *console, cmd *cobra.Command) {
	f := &registryFlags{}
	f.bind(cmd.Flags())
	cmd.Flags().StringVar(&f.lock, "lock", "", "check that tags still lead to the digests of this lock `FILE`, and who signed them")
	cmd.Example = "  kora verify --lock kora.lock && helm upgrade kora …\n  kora verify release 1.4.0 --lock kora.lock"
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) > 0:
			return needsCommand(cmd, args)
		case f.lock == "":
			return usageError{errors.New("say what to verify: one of the commands below, or --lock FILE for what a lock holds")}
		}
		path := f.lock
		f.lock = "" // it is read here, and not written
		if err := f.check(path); err != nil {
			return err
		}
		return f.locked(cmd.Context(), c, path)
	}
}

func (f *registryFlags) locked(ctx context.Context, c *console, path string) error {
	l, found := lock.Read(path)
	if found.Refused() { // then the lock itself is what could not be verified
		return f.verifyAll(ctx, c, nil, []release.Item{{What: release.File, Ref: path, Found: found}}, false)
	}
	return f.verifyAll(ctx, c, nil, release.Locked(l), true)
}

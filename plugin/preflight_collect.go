package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/plugin/preflight"
)

func newPreflightCollect(c *console) *cobra.Command {
	f := &preflightFlags{output: "text"}
	to := ""
	cmd := &cobra.Command{
		Use:   "collect -f FILE… --to DIR",
		Short: "write what preflight sees of a cluster, for somebody else to judge",
		Long: "collect looks at the cluster as preflight does, and writes what it saw to DIR, for\n" +
			"kora preflight --bundle DIR on another machine. Of Secrets it writes the keys and the\n" +
			"length of each value, never a value.",
		Example: "  kora preflight collect -f kora.yaml --to dump",
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return collectFacts(cmd.Context(), c, f, to) },
	}
	f.bind(cmd.Flags(), c)
	cmd.Flags().StringVar(&to, "to", "", "the folder `DIR` to write to (required)")
	return cmd
}

func collectFacts(ctx context.Context, c *console, f *preflightFlags, to string) error {
	if to == "" {
		return usageError{errors.New("--to DIR is required: the folder to write to")}
	}
	if err := f.complete(c); err != nil {
		return err
	}
	plan, found := f.source.Plan(ctx, time.Now)
	if found.Refused() {
		return c.report(withFixes(found))
	}
	seen, err := plan.Look(ctx, f.timeout)
	if err != nil {
		return c.report(withFixes(list(f.fault(err))))
	}
	path, err := preflight.WriteBundle(to, seen)
	if err != nil {
		return err
	}
	c.say("wrote " + path)
	return nil
}

// fault says why there is nothing to judge: the cluster, or the bundle.
func (f *preflightFlags) fault(err error) faults.Fault {
	if f.bundle == "" {
		return kube.Fault(err)
	}
	out := faults.New(faults.BadBundle, err.Error())
	out.File = f.bundle
	return out
}
